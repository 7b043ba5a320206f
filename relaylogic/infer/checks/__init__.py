"""What is wrong with a program whatever types follow: how it is built, kinds, and what matches cover."""
