package dev.hearth.standalone.internal.client;

import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.settings.SettingsReader;
import java.util.OptionalInt;

/**
 * Executors that an application requests: what each needs, and a limit on their total cores. The limit is read from
 * {@code hearth.cores.max}.
 */
record ExecutorRequest(OptionalInt coresMax, ExecutorProfile profile) {
    static ExecutorRequest from(ApplicationSpec application, ExecutorProfile profile) {
        SettingsReader in = new SettingsReader(application.settings());
        OptionalInt coresMax =
                in.find(ApplicationSettings.CORES_MAX).map(OptionalInt::of).orElseGet(OptionalInt::empty);
        in.finish();
        return new ExecutorRequest(coresMax, profile);
    }
}
