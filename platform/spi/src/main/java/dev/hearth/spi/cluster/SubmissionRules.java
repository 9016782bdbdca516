package dev.hearth.spi.cluster;

import dev.hearth.spi.error.ErrorCode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Rules for submissions to one kind of cluster. {@code flags} are the flags that it understands, {@code refusals} those
 * that it refuses. {@code fileSchemes} are the URI schemes of jars and files that it accepts, by deploy mode. {@code
 * waitSetting} is the setting that says whether a submission in cluster mode waits for the end of the driver; empty for a
 * manager without such a setting. If {@code ownProgress} is set, the manager reports progress by {@link
 * SubmissionListener#said} alone; otherwise the front end prints the progress lines of Spark's standalone cluster.
 * Immutable.
 */
public record SubmissionRules(
        List<FlagRule> flags,
        List<Refusal> refusals,
        Map<DeployMode, Set<String>> fileSchemes,
        String waitSetting,
        boolean ownProgress) {
    /** Rules of a manager that declares none. */
    public static final SubmissionRules NONE = new SubmissionRules(List.of(), List.of(), Map.of(), "", false);

    private static final Set<String> FILE_ALONE = Set.of("file");

    public SubmissionRules {
        flags = List.copyOf(flags);
        refusals = List.copyOf(refusals);
        Map<DeployMode, Set<String>> schemes = new EnumMap<>(DeployMode.class);
        for (Map.Entry<DeployMode, Set<String>> entry : fileSchemes.entrySet()) {
            schemes.put(entry.getKey(), Collections.unmodifiableSet(new LinkedHashSet<>(entry.getValue())));
        }
        fileSchemes = Collections.unmodifiableMap(schemes);
    }

    /**
     * Flag that a cluster refuses. {@code value} names its value; it is empty for a switch. {@code words} explain to the user
     * why, and what to do instead.
     */
    public record Refusal(String flag, String value, String words) {
        public Refusal {
            if (!FlagRule.isFlag(flag) || words.isBlank()) {
                throw ErrorCode.BAD_ARGUMENT.failure("refused flag '" + flag + "': '" + words
                        + "' (expected: a flag such as --queue, and words for the user)");
            }
        }
    }

    /** Returns the rule for the flag whose name or alias is {@code text}; empty if there is none. */
    public Optional<FlagRule> flag(String text) {
        for (FlagRule rule : flags) { // loops instead of streams here: front ends start for each submission
            if (rule.isNamed(text)) {
                return Optional.of(rule);
            }
        }
        return Optional.empty();
    }

    /** Returns the refusal of the flag {@code name}; empty if it is not refused. */
    public Optional<Refusal> refusal(String name) {
        for (Refusal refusal : refusals) {
            if (refusal.flag().equals(name)) {
                return Optional.of(refusal);
            }
        }
        return Optional.empty();
    }

    /** Returns the accepted URI schemes of jars and files in {@code mode}; {@code file} alone if none are declared. */
    public Set<String> fileSchemes(DeployMode mode) {
        return fileSchemes.getOrDefault(mode, FILE_ALONE);
    }

    /** Returns these rules and {@code rule}. */
    public SubmissionRules with(FlagRule rule) {
        return new SubmissionRules(append(flags, rule), refusals, fileSchemes, waitSetting, ownProgress);
    }

    /** Returns these rules and {@code refusal}. */
    public SubmissionRules with(Refusal refusal) {
        return new SubmissionRules(flags, append(refusals, refusal), fileSchemes, waitSetting, ownProgress);
    }

    /** Returns these rules, accepting jars and files of the URI schemes {@code schemes} in {@code mode}. */
    public SubmissionRules accepting(DeployMode mode, Set<String> schemes) {
        Map<DeployMode, Set<String>> more = new EnumMap<>(DeployMode.class);
        more.putAll(fileSchemes);
        more.put(mode, schemes);
        return new SubmissionRules(flags, refusals, more, waitSetting, ownProgress);
    }

    /** Returns these rules, with {@code setting} saying whether a submission waits. */
    public SubmissionRules waiting(String setting) {
        return new SubmissionRules(flags, refusals, fileSchemes, setting, ownProgress);
    }

    /** Returns these rules, with progress lines of the manager's own. */
    public SubmissionRules withOwnProgress() {
        return new SubmissionRules(flags, refusals, fileSchemes, waitSetting, true);
    }

    private static <T> List<T> append(List<T> list, T more) {
        List<T> all = new ArrayList<>(list);
        all.add(more);
        return all;
    }
}
