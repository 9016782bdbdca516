package dev.hearth.spi.ledger;

import org.osgi.annotation.versioning.ConsumerType;

/** Kind of place that keeps facts. An OSGi service, which processes select by {@link #mode}. Any thread may call. */
@ConsumerType
public interface FactLogs {
    /** The value of {@code hearth.deploy.recoveryMode} that selects this service, in capitals. */
    String mode();

    /**
     * Begins to stand for leadership, and returns at once. {@code listener} learns what becomes of it, until the returned
     * candidacy is closed. Fails with {@code BAD_SETTING} if the settings of the candidate are invalid.
     */
    Candidacy stand(Candidate self, LeadershipListener listener);
}
