"""What Python, the process and the machine have to do with it: limits of work, threads, memory, files, imports.

Every other room stands on this one, which knows nothing of them but the errors.
"""
