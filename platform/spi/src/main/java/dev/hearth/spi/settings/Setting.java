package dev.hearth.spi.settings;

/** One value, where it came from, and the key it was given under where that is an alias of the field. */
record Setting(Template template, String origin, String alias) {
    static final Setting NONE = new Setting(Template.literal(""), "nowhere", "");

    boolean isAlias() {
        return !alias.isEmpty();
    }
}
