package dev.hearth.spi.settings;

/** One value, where it came from, and the key it was given under where that is an alias of the field. */
record SettingValue(ValueTemplate template, String origin, String alias) {
    static final SettingValue NONE = new SettingValue(ValueTemplate.literal(""), "nowhere", "");

    boolean isAlias() {
        return !alias.isEmpty();
    }
}
