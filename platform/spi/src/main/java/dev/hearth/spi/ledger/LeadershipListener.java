package dev.hearth.spi.ledger;

import dev.hearth.api.HearthException;
import dev.hearth.spi.net.Bytes;
import org.osgi.annotation.versioning.ConsumerType;

/** Receives what becomes of a candidacy. Called by one thread at a time, which may block. */
@ConsumerType
public interface LeadershipListener {
    /** Another process leads; {@code leader} describes it. */
    void following(String leader);

    /** This process will lead, once it has replayed what the leaders before it have appended. */
    void recovering();

    /** Passes the next fact of the leaders before, in order. */
    void replay(Bytes fact);

    /**
     * This process leads now. Its {@code epoch} is greater than that of any leader before it. New facts go to {@code log}.
     */
    void leading(long epoch, FactLog log);

    /** This process cannot lead, for example because the facts are damaged. The candidacy has ended. */
    void failed(HearthException why);
}
