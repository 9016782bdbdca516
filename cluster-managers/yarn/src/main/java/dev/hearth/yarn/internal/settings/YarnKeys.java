package dev.hearth.yarn.internal.settings;

import dev.hearth.spi.settings.SettingKey;
import java.util.List;
import java.util.Optional;

/** Prefix of the settings for YARN, and shapes that several of them have. Pure. */
public final class YarnKeys {
    /** Prefix of the settings for YARN. */
    public static final String PREFIX = "hearth.yarn.";

    private YarnKeys() {}

    /** Setting {@code hearth.yarn.name}, a text without a default. */
    static SettingKey<String> text(String name, String description) {
        return SettingKey.text(PREFIX + name, "", description)
                .obeying("a text", text -> !text.isBlank())
                .withoutDefault();
    }

    static SettingKey<List<String>> list(String name, String description) {
        return SettingKey.list(PREFIX + name, List.of(), description);
    }

    /** Family of the amounts of resource types, such as {@code hearth.yarn.am.resource.memory-like.amount}. */
    static SettingKey<String> amounts(String process, String whose) {
        return SettingKey.family(
                PREFIX + process + ".resource.*",
                "Amount of a resource type of YARN for " + whose + ": `.amount` after the type, such as"
                        + " yarn.io/gpu.amount, with an optional unit, such as 2G.",
                "a type and `.amount`, and a whole number with an optional unit",
                (name, value) -> name.endsWith(ResourceAmount.SUFFIX)
                        && ResourceAmount.parse(value).isPresent());
    }

    /** The value, unless it is blank. */
    static Optional<String> unlessBlank(Optional<String> value) {
        return value.map(String::strip).filter(text -> !text.isEmpty());
    }
}
