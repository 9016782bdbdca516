package dev.hearth.submission.internal;

import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/**
 * Declares the settings in {@link ApplicationSettings}. Other modules read these settings too, but each is declared
 * once.
 */
@Component(service = SettingsGroup.class)
public final class ApplicationSettingsGroup implements SettingsGroup {
    @Override
    public String owner() {
        return "submission";
    }

    @Override
    public List<SettingKey<?>> keys() {
        return ApplicationSettings.KEYS;
    }
}
