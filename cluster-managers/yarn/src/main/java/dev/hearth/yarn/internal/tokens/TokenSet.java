package dev.hearth.yarn.internal.tokens;

import dev.hearth.spi.net.Bytes;
import java.time.Duration;
import java.util.Optional;

/**
 * Delegation tokens of an application, as the content of a token file of Hadoop, and the time for which all of them are
 * valid unless someone renews them; empty if none of them ends. Immutable.
 */
public record TokenSet(Bytes content, Optional<Duration> valid) {
    @Override
    public String toString() {
        return "tokens of " + content.size() + " bytes, valid for " + valid;
    }
}
