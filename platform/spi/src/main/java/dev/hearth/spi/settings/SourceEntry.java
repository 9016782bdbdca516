package dev.hearth.spi.settings;

/** Setting as written in one source, under its original key. */
record SourceEntry(String key, ValueTemplate template, String origin) {
    /** Beginning of the origin of a setting that an environment variable sets; the name of the variable follows. */
    static final String ENVIRONMENT = "environment ";
}
