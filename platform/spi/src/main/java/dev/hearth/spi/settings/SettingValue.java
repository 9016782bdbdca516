package dev.hearth.spi.settings;

/** Value of a setting with its origin, and the {@code spark.} key under which it was written, if any. */
record SettingValue(ValueTemplate template, String origin, String alias) {
    static final SettingValue NONE = new SettingValue(ValueTemplate.literal(""), "nowhere", "");

    boolean isAlias() {
        return !alias.isEmpty();
    }
}
