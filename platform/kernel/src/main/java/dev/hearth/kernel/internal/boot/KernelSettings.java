package dev.hearth.kernel.internal.boot;

import dev.hearth.kernel.internal.deploy.DeploySettings;
import dev.hearth.kernel.internal.logging.LogSettings;
import dev.hearth.spi.process.CleanupSettings;
import dev.hearth.spi.process.OutputFiles;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsCatalog;
import dev.hearth.spi.settings.SettingsGroup;
import java.util.ArrayList;
import java.util.List;

/** Declares the settings of the kernel. */
public final class KernelSettings implements SettingsGroup {
    @Override
    public String owner() {
        return "kernel";
    }

    @Override
    public List<SettingKey<?>> keys() {
        List<SettingKey<?>> keys = new ArrayList<>();
        keys.add(SettingsCatalog.STRICT);
        keys.addAll(LogSettings.KEYS);
        keys.addAll(DeploySettings.KEYS);
        keys.addAll(OutputFiles.KEYS);
        keys.addAll(CleanupSettings.KEYS);
        return keys;
    }
}
