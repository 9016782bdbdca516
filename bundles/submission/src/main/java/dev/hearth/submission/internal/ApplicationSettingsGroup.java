package dev.hearth.submission.internal;

import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.application.UnsupportedSettings;
import dev.hearth.spi.application.UploadSettings;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
import java.util.List;
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Component;

/**
 * Declares the settings in {@link ApplicationSettings} and {@link UnsupportedSettings} to the process, so that they can be checked and listed. Other
 * modules read these settings too, but do not declare them.
 */
@Component(service = SettingsGroup.class)
public final class ApplicationSettingsGroup implements SettingsGroup {
    @Override
    public String owner() {
        return "submission";
    }

    @Override
    public List<SettingKey<?>> keys() {
        return Stream.of(ApplicationSettings.KEYS, UploadSettings.KEYS, UnsupportedSettings.KEYS)
                .<SettingKey<?>>flatMap(List::stream)
                .toList();
    }
}
