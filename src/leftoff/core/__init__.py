"""Pure: values in, values out. No disk, no clock, no environment."""
