package dev.hearth.yarn.internal.tokens;

import java.time.Duration;
import java.util.Optional;

/** Decides when the ticket of a login is worth a sentence: once when its end is near, and once when it is replaced. */
final class TicketWatch {
    /** Part of the life of a ticket that is left when a warning comes; Hadoop replaces tickets of keytabs at a fifth. */
    private static final int PARTS = 8;

    private boolean isTold;

    /** Life of a ticket. {@code left} is negative once it has ended. Immutable. */
    record Ticket(String user, Duration left, Duration life) {}

    /** Handles a look at the ticket; {@code problem} is why it was not replaced, or empty. Returns a sentence, or none. */
    Optional<TokenEffect.Note> looked(Ticket ticket, String problem) {
        boolean isLow = ticket.left().compareTo(ticket.life().dividedBy(PARTS)) < 0;
        if (isLow == isTold) {
            return Optional.empty();
        }
        isTold = isLow;
        String subject = "ticket of " + ticket.user() + ": ";
        return Optional.of(
                isLow
                        ? new TokenEffect.Note(
                                TokenEffect.Level.WARNING,
                                subject
                                        + (ticket.left().isNegative()
                                                ? "it has ended"
                                                : "it ends in " + TokenSchedule.words(ticket.left()))
                                        + (problem.isEmpty() ? "" : ", " + problem)
                                        + " (expected: a new one before); run kinit, or check the KDC")
                        : new TokenEffect.Note(
                                TokenEffect.Level.INFO,
                                subject + "valid for another " + TokenSchedule.words(ticket.left())));
    }
}
