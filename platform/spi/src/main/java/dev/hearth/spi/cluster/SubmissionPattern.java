package dev.hearth.spi.cluster;

import dev.hearth.spi.id.SubmissionId;
import java.util.Optional;

/**
 * Pattern of the ids of submissions: an id in which {@code *} stands for any characters and {@code ?} for one. A pattern
 * without these characters matches a single submission.
 */
public record SubmissionPattern(String text) {
    private static final String WILDCARDS = "*?";

    /** Fails with {@code IllegalArgumentException} if {@code text} could match no id. */
    public SubmissionPattern {
        new SubmissionId(text.replace('*', '-').replace('?', '-'));
    }

    /** Returns the only submission that this pattern can match; empty if it contains wildcards. */
    public Optional<SubmissionId> single() {
        return text.chars().anyMatch(c -> WILDCARDS.indexOf(c) >= 0)
                ? Optional.empty()
                : Optional.of(new SubmissionId(text));
    }

    /** Whether {@code submission} matches. Takes time proportional to the product of both lengths at most. */
    public boolean matches(SubmissionId submission) {
        String id = submission.value();
        int star = -1; // position of the last * in the pattern
        int from = 0; // position in the id up to which that * has matched
        int next = 0;
        int at = 0;
        while (at < id.length()) {
            if (next < text.length() && text.charAt(next) == '*') {
                star = next++;
                from = at;
            } else if (next < text.length() && (text.charAt(next) == '?' || text.charAt(next) == id.charAt(at))) {
                next++;
                at++;
            } else if (star >= 0) { // the last * matches one more character
                next = star + 1;
                at = ++from;
            } else {
                return false;
            }
        }
        while (next < text.length() && text.charAt(next) == '*') {
            next++;
        }
        return next == text.length();
    }

    @Override
    public String toString() {
        return text;
    }
}
