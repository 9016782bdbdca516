package dev.hearth.spi.settings;

/**
 * Setting as one source, such as a file, contains it: under the key as written there, which may be a {@code spark.}
 * alias.
 */
record SourceEntry(String key, ValueTemplate template, String origin) {
    /** Beginning of the origin of a setting that an environment variable sets; the name of the variable follows. */
    static final String ENVIRONMENT = "environment ";
}
