package dev.hearth.eventlog.internal;

import dev.hearth.api.HearthException;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.spi.storage.FileName;
import java.util.List;

/** Location and format of event logs. Read from {@code hearth.eventLog.*} for each application. */
record EventLogSettings(String directory, boolean compressed, boolean overwrite, int bufferBytes) {
    private static final int BYTES_PER_KIBIBYTE = 1024;

    private static final SettingKey<String> DIRECTORY = SettingKey.text(
                    "hearth.eventLog.dir",
                    "/tmp/hearth-events",
                    "The directory of event logs, on the driver's machine or in a file store; it must exist.")
            .obeying("a path, or a URI such as file:/path", EventLogSettings::isPath);
    private static final SettingKey<Boolean> COMPRESSED =
            SettingKey.flag("hearth.eventLog.compress", false, "Whether event logs are compressed with gzip.");
    private static final SettingKey<Boolean> OVERWRITE = SettingKey.flag(
            "hearth.eventLog.overwrite",
            false,
            "Whether an event log of an earlier application with the same id is replaced.");
    private static final SettingKey<Integer> BUFFER = SettingKey.integer(
            "hearth.eventLog.buffer.kb",
            100,
            1,
            1_000_000,
            "Size of the write buffer in kibibytes; it is flushed at the end of each job.");

    static final List<SettingKey<?>> KEYS =
            List.of(EventLogSubscriber.ENABLED, DIRECTORY, COMPRESSED, OVERWRITE, BUFFER);

    static EventLogSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        EventLogSettings read = new EventLogSettings(
                in.read(DIRECTORY), in.read(COMPRESSED), in.read(OVERWRITE), in.read(BUFFER) * BYTES_PER_KIBIBYTE);
        in.finish();
        return read;
    }

    private static boolean isPath(String text) {
        try {
            return FileName.uri(text, FileName::decode).isPresent() || !text.isBlank();
        } catch (HearthException refused) { // the setting is neither a path nor a URI
            return false;
        }
    }
}
