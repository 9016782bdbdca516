package dev.hearth.spi.ledger;

import dev.hearth.api.HearthException;
import dev.hearth.spi.net.Bytes;
import org.osgi.annotation.versioning.ConsumerType;

/** Receives what becomes of a candidacy. Called by one thread at a time, which may block. */
@ConsumerType
public interface LeadershipListener {
    /**
     * This process stands by. {@code leader} is the name of the candidate that leads; it is empty while that is not known,
     * for example because the place of the facts does not answer.
     */
    void following(String leader);

    /** This process will lead, once it has replayed what the leaders before it have appended. */
    void recovering();

    /** Passes the next fact of the leaders before, in order. */
    void replay(Bytes fact);

    /**
     * This process leads now. Its {@code epoch} is greater than that of any leader before it. New facts go to {@code log}.
     */
    void leading(long epoch, FactLog log);

    /**
     * This process recovers or leads no more, because another one may lead. It stands by again, and may lead again later.
     * Appends that were not acknowledged fail; whether their facts survive is unknown.
     */
    void lost(String why);

    /** This process cannot lead, for example because the facts are damaged. The candidacy has ended. */
    void failed(HearthException why);
}
