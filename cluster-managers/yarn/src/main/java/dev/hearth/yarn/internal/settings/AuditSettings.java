package dev.hearth.yarn.internal.settings;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;
import java.util.Optional;

/** Text about an application in audit logs of the cluster, beyond its id. Immutable. */
public record AuditSettings(Optional<String> caller) {
    public static final SettingKey<String> CALLER = SettingKey.text(
                    "hearth.log.callerContext",
                    "",
                    "A text that the audit logs of YARN and HDFS show with the calls of an application on YARN, after its id,"
                            + " if the cluster has hadoop.caller.context.enabled.")
            .obeying("a text without control characters", text -> text.chars().noneMatch(Character::isISOControl))
            .withoutDefault();

    public static final List<SettingKey<?>> KEYS = List.of(CALLER);

    /** Reads the settings; {@code in} records the problems. */
    public static AuditSettings read(SettingsReader in) {
        return new AuditSettings(YarnKeys.unlessBlank(in.find(CALLER)));
    }
}
