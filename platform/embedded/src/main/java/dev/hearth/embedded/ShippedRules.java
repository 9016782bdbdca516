package dev.hearth.embedded;

import dev.hearth.spi.cluster.InstalledRules;
import dev.hearth.spi.cluster.SubmissionRuleTable;
import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** The flags of an installation of the same release, from this library's jar. */
enum ShippedRules implements InstalledRules {
    INSTANCE;

    private static final String SHIPPED = "flags.tsv";

    @Override
    public SubmissionRuleTable rules() {
        try (InputStream in = Objects.requireNonNull(ShippedRules.class.getResourceAsStream(SHIPPED), SHIPPED)) {
            return SubmissionRuleTable.read(SHIPPED, in);
        } catch (IOException unreadable) {
            throw ErrorCode.START_FAILED.failure(
                    SHIPPED + ": cannot be read: " + unreadable + " (expected: in the jar of hearth-embedded)",
                    unreadable);
        }
    }

    @Override
    public SubmissionRuleTable allRules() {
        return rules();
    }
}
