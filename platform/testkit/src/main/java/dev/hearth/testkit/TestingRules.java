package dev.hearth.testkit;

import dev.hearth.spi.cluster.InstalledRules;
import dev.hearth.spi.cluster.SubmissionRuleTable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Installation with the submission rules of given lines. Its jars have all of them; the merged file has none, so that
 * front ends must look further. Immutable.
 */
public record TestingRules(List<String> lines) implements InstalledRules {
    @Override
    public SubmissionRuleTable rules() {
        return SubmissionRuleTable.EMPTY;
    }

    @Override
    public SubmissionRuleTable allRules() {
        byte[] text = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
        try {
            return SubmissionRuleTable.read("test", new ByteArrayInputStream(text));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
