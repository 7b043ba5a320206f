"""All answers as circuits: counted, listed and drawn without going through them one by one."""
