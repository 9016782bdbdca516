package dev.hearth.spi.ledger;

import org.osgi.annotation.versioning.ConsumerType;

/** Standing of one process for leadership, from {@link FactLogs#stand} until it is closed. */
@ConsumerType
public interface Candidacy extends AutoCloseable {
    /** Makes what was appended durable, if that is possible now, and lets another process lead. Idempotent; may block. */
    @Override
    void close();
}
