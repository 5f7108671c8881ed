"""Reports: functions of a finished run."""
