package dev.hearth.hadoop.internal;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Declares the settings of Hadoop's formats that no other module declares. Stateless. */
@Component(service = SettingsGroup.class)
public final class FormatSettings implements SettingsGroup {
    public static final SettingKey<Boolean> VALIDATE = SettingKey.flag(
            "hearth.hadoop.validateOutputSpecs",
            true,
            "Whether outputs by formats of Hadoop are checked before their job, for example for an existing directory.");

    @Override
    public String owner() {
        return "hadoop-fs";
    }

    @Override
    public List<SettingKey<?>> keys() {
        return List.of(VALIDATE);
    }
}
