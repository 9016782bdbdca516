package dev.hearth.kernel.internal.boot;

import dev.hearth.kernel.internal.application.BundlePackages;
import dev.hearth.kernel.internal.application.PackagePattern;
import dev.hearth.kernel.internal.deploy.StartRule;
import dev.hearth.kernel.internal.frozen.ExecutorClause;
import dev.hearth.spi.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.jar.Attributes;

/**
 * Rules by which bundles of deploy/ start in a process of one role: those of their header {@code Hearth-Role}, as in
 * bundles/ ({@link RoleClause}). A bundle without the header starts in every process. A bundle with {@code
 * Hearth-Executor} starts at once, because only what is installed can be frozen for executors. Immutable.
 */
record RoleStartRules(String role, List<String> arguments, Settings settings)
        implements Function<Attributes, StartRule> {
    RoleStartRules {
        arguments = List.copyOf(arguments);
    }

    /** Reads the rule of a bundle from its manifest. Fails with {@code IllegalArgumentException} if it is invalid. */
    @Override
    public StartRule apply(Attributes manifest) {
        String header = manifest.getValue(RoleClause.HEADER);
        if (header == null) {
            return StartRule.ALWAYS;
        }
        Set<String> others = new TreeSet<>();
        for (RoleClause clause : parse(header)) {
            if (clause.roles().contains(role)) {
                return rule(clause, manifest.getValue(BundlePackages.HEADER), ExecutorClause.isDeclared(manifest));
            }
            others.addAll(clause.roles());
        }
        return StartRule.never("it is for the roles " + others + ", and this process has the role " + role);
    }

    private static List<RoleClause> parse(String header) {
        try {
            return RoleClause.parse(header);
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException(RoleClause.HEADER + ": " + invalid.getMessage(), invalid);
        }
    }

    private StartRule rule(RoleClause clause, String packages, boolean isForExecutors) {
        List<String> triggers = new ArrayList<>(clause.when());
        for (PackagePattern offered : PackagePattern.parse(packages == null ? "" : packages)) {
            triggers.add(OnDemandBundleGroup.PACKAGE + offered);
        }
        boolean now = clause.isUnconditional()
                || clause.isRequestedBy(arguments)
                || isForExecutors
                || new OnDemandBundleGroup("", List.of(), triggers).isTriggeredBy(settings);
        if (now) {
            return new StartRule(StartRule.Kind.ALWAYS, List.of(), clause.needs(), "");
        }
        if (clause.when().isEmpty()) {
            return StartRule.never("it starts only for the arguments " + clause.firstWords());
        }
        return new StartRule(
                StartRule.Kind.ON_DEMAND, triggers, clause.needs(), "it starts when one of " + triggers + " is needed");
    }
}
