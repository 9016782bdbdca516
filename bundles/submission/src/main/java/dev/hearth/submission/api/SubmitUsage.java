package dev.hearth.submission.api;

import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.FlagRule;
import dev.hearth.spi.cluster.InstalledRules;
import dev.hearth.spi.cluster.SubmissionRuleTable;
import java.util.List;
import java.util.Set;

/** Usage text of {@code submit}, made of the installed rules and grouped by the schemes of masters. Stateless. */
final class SubmitUsage {
    private SubmitUsage() {}

    static String of(InstalledRules installed) {
        KnownFlags known = new KnownFlags(installed);
        SubmissionRuleTable table = known.table();
        StringBuilder text = new StringBuilder("""
                Usage: submit [flags] <application jar> [application arguments]
                       submit --class NAME --jars FILES [flags] [spark-internal [application arguments]]
                       submit --status PATTERN | --kill PATTERN [--master URL] [flags]
                Flags:
                """);
        add(text, table.rules(SubmissionRuleTable.GENERAL).flags());
        for (String scheme : table.schemes()) {
            List<FlagRule> flags = table.rules(scheme).flags();
            if (!scheme.equals(SubmissionRuleTable.GENERAL) && !flags.isEmpty()) {
                text.append("Flags with --master ").append(scheme).append(":\n");
                add(text, flags);
            }
        }
        return text.toString();
    }

    private static void add(StringBuilder text, List<FlagRule> flags) {
        for (FlagRule flag : flags) {
            String name = flag.takesValue() ? flag.name() + " " + flag.value() : flag.name();
            text.append(String.format("  %-30s %s", name, flag.meaning()));
            if (flag.modes().equals(Set.of(DeployMode.CLUSTER))) {
                text.append(", in cluster mode");
            } else if (flag.modes().equals(Set.of(DeployMode.CLIENT))) {
                text.append(", in client mode");
            }
            if (!flag.alias().isEmpty()) {
                text.append("; also ").append(flag.alias());
            }
            text.append('\n');
        }
    }
}
