package dev.hearth.yarn.internal.tokens;

import java.util.Optional;

/** Makes the tokens of one application, and keeps its login. Methods block; one thread calls. */
public interface TokenSource {
    /** Makes new tokens. */
    TokenSet fetch() throws Exception;

    /** Gets a new ticket if the present one ends soon. Returns the ticket then; empty if there is none. */
    Optional<Ticket> relogin() throws Exception;

    /** Ticket of {@code user} from {@code beginMillis} to {@code endMillis}. Immutable. */
    record Ticket(String user, long beginMillis, long endMillis) {}
}
