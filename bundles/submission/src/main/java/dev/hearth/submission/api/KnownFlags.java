package dev.hearth.submission.api;

import dev.hearth.spi.cluster.FlagRule;
import dev.hearth.spi.cluster.InstalledRules;
import dev.hearth.spi.cluster.SubmissionRuleTable;
import dev.hearth.spi.cluster.SubmissionRules.Refusal;
import dev.hearth.spi.settings.SpellingSuggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Flags that a command line may contain: those of front ends and of all clusters whose rules are installed. Reads the
 * rules of further jars only once a flag or a scheme is not found without them. Used by one thread.
 */
final class KnownFlags {
    private final InstalledRules installed;
    private SubmissionRuleTable table;
    private boolean complete;

    KnownFlags(InstalledRules installed) {
        this.installed = installed;
        this.table = withGeneral(installed.rules());
    }

    /** Flag in its long form, whether it takes a value, and the word for the value. */
    record KnownFlag(String name, boolean takesValue, String value) {}

    /** Returns the flag whose name or alias is {@code text}; empty if no installed rule knows it. */
    Optional<KnownFlag> find(String text) {
        Optional<KnownFlag> found = search(text);
        if (found.isEmpty() && readAll()) {
            found = search(text);
        }
        return found;
    }

    /** Whether {@code word} is a flag of the rules read so far, with or without a value after an equals sign. */
    boolean isFlag(String word) {
        int equals = word.indexOf('=');
        return search(equals < 0 ? word : word.substring(0, equals)).isPresent();
    }

    /** Returns the flag most similar to {@code text}, for an error message; empty if none is similar. */
    Optional<String> nearest(String text) {
        List<String> names = new ArrayList<>();
        for (String scheme : table().schemes()) {
            table().rules(scheme).flags().forEach(rule -> names.add(rule.name()));
        }
        return SpellingSuggestion.nearest(text, names);
    }

    /**
     * Makes sure that the rules of masters of {@code scheme} are read. Afterwards, {@link #flag} and {@link #refusal}
     * find what is installed for it.
     */
    void choose(String scheme) {
        if (!table.schemes().contains(scheme)) {
            readAll();
        }
    }

    /** Returns the rule of {@code scheme} for the flag {@code name}, among the rules read so far. */
    Optional<FlagRule> flag(String scheme, String name) {
        return table.flag(scheme, name);
    }

    /** Returns the refusal of {@code scheme} for the flag {@code name}, among the rules read so far. */
    Optional<Refusal> refusal(String scheme, String name) {
        return table.refusal(scheme, name);
    }

    /** Returns the table of all rules that are installed. */
    SubmissionRuleTable table() {
        readAll();
        return table;
    }

    /** Reads the rules of all jars, once; returns false if they were read before. */
    private boolean readAll() {
        if (complete) {
            return false;
        }
        complete = true;
        table = withGeneral(installed.allRules());
        return true;
    }

    private Optional<KnownFlag> search(String text) {
        Optional<FlagRule> rule = table.anyFlag(text);
        if (rule.isPresent()) {
            return Optional.of(new KnownFlag(
                    rule.get().name(), rule.get().takesValue(), rule.get().value()));
        }
        Optional<Refusal> refusal = table.anyRefusal(text);
        return refusal.isEmpty()
                ? Optional.empty()
                : Optional.of(new KnownFlag(
                        text, !refusal.get().value().isEmpty(), refusal.get().value()));
    }

    private static SubmissionRuleTable withGeneral(SubmissionRuleTable table) {
        return table.schemes().contains(SubmissionRuleTable.GENERAL)
                ? table
                : table.and(SubmissionRuleTable.of(KnownFlags.class), "installed rules");
    }
}
