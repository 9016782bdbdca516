package dev.hearth.standalone.internal.client;

import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.settings.SettingsReader;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Executors that an application requests: what each needs, and a limit on their total cores. The limit is read from
 * {@code hearth.cores.max}. {@code submission} is set if the cluster runs the driver, and {@code attempt} is then the
 * number of the driver's start, or 0 if nothing supervises it.
 */
record ExecutorRequest(OptionalInt coresMax, ExecutorProfile profile, Optional<SubmissionId> submission, int attempt) {
    static ExecutorRequest from(ApplicationSpec application, ExecutorProfile profile) {
        SettingsReader in = new SettingsReader(application.settings());
        OptionalInt coresMax =
                in.find(ApplicationSettings.CORES_MAX).map(OptionalInt::of).orElseGet(OptionalInt::empty);
        Optional<SubmissionId> submission = in.find(ApplicationSettings.SUBMISSION_ID)
                .filter(id -> !id.isEmpty())
                .map(SubmissionId::new);
        int attempt = in.find(ApplicationSettings.DRIVER_ATTEMPT).orElse(0);
        in.finish();
        return new ExecutorRequest(coresMax, profile, submission, attempt);
    }
}
