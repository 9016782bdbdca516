package dev.hearth.yarn.internal.manager;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
import dev.hearth.yarn.internal.settings.AclSettings;
import dev.hearth.yarn.internal.settings.AmSettings;
import dev.hearth.yarn.internal.settings.AuditSettings;
import dev.hearth.yarn.internal.settings.HistorySettings;
import dev.hearth.yarn.internal.settings.KerberosSettings;
import dev.hearth.yarn.internal.settings.QueueSettings;
import dev.hearth.yarn.internal.settings.ReportSettings;
import dev.hearth.yarn.internal.settings.StagingSettings;
import dev.hearth.yarn.internal.settings.YarnAllocationSettings;
import java.util.List;
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Component;

/** Settings of applications on YARN. Stateless. */
@Component(service = SettingsGroup.class)
public final class YarnSettings implements SettingsGroup {
    private static final List<SettingKey<?>> KEYS = Stream.of(
                    QueueSettings.KEYS,
                    AmSettings.KEYS,
                    StagingSettings.KEYS,
                    ReportSettings.KEYS,
                    HistorySettings.KEYS,
                    AuditSettings.KEYS,
                    YarnAllocationSettings.KEYS,
                    KerberosSettings.KEYS,
                    AclSettings.KEYS)
            .flatMap(List::stream)
            .toList();

    @Override
    public String owner() {
        return "yarn";
    }

    @Override
    public List<SettingKey<?>> keys() {
        return KEYS;
    }

    /** Whether {@code key} is one of the settings, or a member of one of the families. */
    static boolean isDeclared(String key) {
        return KEYS.stream()
                .map(SettingKey::name)
                .anyMatch(name -> name.endsWith(SettingKey.FAMILY)
                        ? key.startsWith(name.substring(0, name.length() - 1))
                        : name.equals(key));
    }
}
