package dev.hearth.kubernetes.internal.submission;

import dev.hearth.kubernetes.internal.pod.DriverContent;
import dev.hearth.kubernetes.internal.pod.DriverObjects;
import dev.hearth.kubernetes.internal.pod.DriverPodSettings;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Objects of submissions for tests. */
public final class DriverFixtures {
    private DriverFixtures() {}

    public static DriverPodSettings settings(Map<String, String> given) {
        Map<String, String> values = new LinkedHashMap<>(Map.of("hearth.kubernetes.container.image", "hearth:1"));
        values.putAll(given);
        SettingsReader in = new SettingsReader(Settings.empty().with("test", values));
        DriverPodSettings read = DriverPodSettings.read(in);
        in.finish();
        return read;
    }

    /** Random text of the submission number {@code number}. */
    public static String random(int number) {
        return String.format("%016x%016x", number, 0xabcL);
    }

    public static DriverObjects objects(int number, Map<String, String> given) {
        return new DriverObjects(
                DriverObjects.identity("pi", random(number), "ada", "1.0"),
                settings(given),
                new DriverContent("orders", "instructions", List.of(), Map.of()),
                Map.of(),
                new DriverObjects.Ports(7078, 7079));
    }
}
