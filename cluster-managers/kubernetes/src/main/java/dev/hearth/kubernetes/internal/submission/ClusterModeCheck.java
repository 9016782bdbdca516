package dev.hearth.kubernetes.internal.submission;

import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.ArrayList;
import java.util.List;

/** Checks of the settings of a submission in cluster mode, besides those of executors. Pure. */
public final class ClusterModeCheck {
    private static final List<String> OF_THE_POD = List.of("hearth.driver.host", "hearth.driver.bindAddress");

    private ClusterModeCheck() {}

    /** The settings that are refused, in the words of Spark where it has some. */
    public static List<String> problems(Settings settings) {
        List<String> problems = new ArrayList<>();
        for (String key : OF_THE_POD) {
            if (settings.find(key).isPresent()) {
                problems.add(key.replace("hearth.", "spark.") + " is not supported in Kubernetes mode, as the driver's "
                        + (key.endsWith("host")
                                ? "hostname will be managed via a Kubernetes service."
                                : "bind address is" + " managed and set to the driver pod's IP address.")
                        + " (expected: no setting " + key + ")");
            }
        }
        String most = ApplicationSettings.DRIVER_RESTARTS_MAX.name();
        if (settings.find(ApplicationSettings.DRIVER_SUPERVISE.name())
                        .filter("true"::equalsIgnoreCase)
                        .isPresent()
                && settings.find(most).isPresent()) {
            problems.add(
                    most + ": is not supported on Kubernetes (expected: no bound, as the node restarts the driver);"
                            + " remove it, and end a driver that fails again and again with --kill");
        }
        return problems;
    }

    /** Reads all settings of a submission, so that {@code in} records their problems. */
    public static void read(SettingsReader in) {
        SubmissionSettings.read(in);
        SubmissionSettings.killGrace(in);
    }
}
