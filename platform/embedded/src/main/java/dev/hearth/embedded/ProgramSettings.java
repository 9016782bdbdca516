package dev.hearth.embedded;

import dev.hearth.spi.settings.Settings;
import java.util.LinkedHashMap;
import java.util.Map;

/** The system properties of the program that are settings. */
final class ProgramSettings {
    private ProgramSettings() {}

    static Settings now() {
        Map<String, String> properties = new LinkedHashMap<>();
        for (String name : System.getProperties().stringPropertyNames()) {
            if (name.startsWith("hearth.") || name.startsWith("spark.")) {
                properties.put(name, System.getProperty(name));
            }
        }
        return Settings.empty().with("-D", properties);
    }
}
