package dev.hearth.itests.architecture;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.targetOwner;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.conditions.ArchConditions.accessTargetWhere;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import dev.hearth.itests.architecture.ProjectModule.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The rules of {@link ProjectModule} as rules over classes. The name of each gives the module and the rule in words.
 */
final class ModuleRules {
    private static final String OURS = "dev.hearth..";

    private ModuleRules() {}

    static List<ArchRule> all() {
        List<ArchRule> rules = new ArrayList<>();
        for (ProjectModule module : ProjectModule.values()) {
            rules.add(direction(module));
            rules.add(libraries(module));
            rules.add(privacy(module));
        }
        rules.addAll(layers());
        rules.add(noPackageCycles());
        rules.addAll(soleOwners());
        for (ProjectModule module : ProjectModule.production()) {
            rules.addAll(production(module));
        }
        rules.addAll(nevers());
        rules.addAll(StateMachines.rules());
        rules.addAll(TravelRules.rules());
        return List.copyOf(rules);
    }

    private static ArchRule direction(ProjectModule module) {
        DescribedPredicate<JavaClass> foreign =
                within(OURS).and(not(within(below(module.root())))).and(not(offeredTo(module)));
        return forbid(
                within(below(module.root())),
                dependOn(foreign),
                module + ": imports no module but " + module.modules(),
                module.kind().rule() + " (docs/decisions.md, modules)");
    }

    private static ArchRule libraries(ProjectModule module) {
        List<String> packages = new ArrayList<>(List.of(OURS, "java.."));
        module.libraries().forEach(library -> library.roots().forEach(root -> packages.add(below(root))));
        return forbid(
                within(below(module.root())),
                dependOn(not(within(packages.toArray(String[]::new)))),
                module + ": imports no library but java.* and " + module.libraries(),
                "each module names its libraries in one table (docs/dependencies.md)");
    }

    private static ArchRule privacy(ProjectModule module) {
        return forbid(
                within(OURS).and(not(within(below(module.root())))),
                dependOn(within(module.root() + "..internal..")),
                module + ": no other module imports its internal packages",
                "an internal package is free to change (docs/decisions.md, modules)");
    }

    private static List<ArchRule> layers() {
        List<ArchRule> rules = new ArrayList<>();
        for (EngineLayer layer : EngineLayer.values()) {
            rules.add(forbid(
                    within(layer.packages()),
                    dependOn(within(layer.forbidden())),
                    layer + ": imports no layer of the engine but " + layer.layers(),
                    "lower layers build and are tested without higher ones (docs/decisions.md, modules)"));
        }
        return rules;
    }

    /**
     * The packages of the api count as one, because applications compile against all of them, as with java.util and
     * below.
     */
    private static ArchRule noPackageCycles() {
        return SlicesRuleDefinition.slices()
                .assignedFrom(PackageSlices.INSTANCE)
                .should()
                .beFreeOfCycles()
                .as("no package cycles")
                .because("a package that is part of a cycle cannot be understood, tested or moved alone"
                        + " (docs/decisions.md, modules)")
                .allowEmptyShould(true);
    }

    private static List<ArchRule> soleOwners() {
        return List.of(
                // the benchmark measures plain Netty as the limit
                only(Library.NETTY, ProjectModule.RPC, ProjectModule.BENCH),
                only(Library.FELIX, ProjectModule.KERNEL),
                // the activator of Hadoop keeps its 28,000 entries out of memory (ADR 0098)
                only(Library.FRAMEWORK, ProjectModule.KERNEL, ProjectModule.RPC, ProjectModule.HADOOP_CLIENT),
                // the manager of Kubernetes describes its commands
                only(Library.GOGO, ProjectModule.SHELL_GOGO, ProjectModule.KUBERNETES),
                only(Library.JLINE, ProjectModule.SHELL_GOGO),
                only(
                        Library.JACKSON,
                        ProjectModule.EVENT_LOG,
                        ProjectModule.STATUS_API,
                        ProjectModule.REST,
                        ProjectModule.KUBERNETES),
                only(Library.JSON_TREES, ProjectModule.KUBERNETES),
                only(Library.AIRCOMPRESSOR, ProjectModule.ENGINE),
                only(Library.MAVEN_RESOLVER, ProjectModule.PACKAGES),
                only(Library.LOGBACK, ProjectModule.KERNEL),
                only(Library.JUNIT, ProjectModule.JUNIT_EXTENSION, ProjectModule.TESTKIT),
                only(Library.KUBERNETES_CLIENT, ProjectModule.KUBERNETES),
                only(Library.HADOOP, ProjectModule.HADOOP_CLIENT, ProjectModule.HADOOP_FS, ProjectModule.YARN));
    }

    private static ArchRule only(Library library, ProjectModule... owners) {
        List<ProjectModule> modules = List.of(owners);
        return forbid(
                within(OURS).and(not(within(roots(modules)))),
                dependOn(within(library.roots().stream().map(ModuleRules::below).toArray(String[]::new))),
                "only " + modules + ": imports " + library.roots(),
                "a foreign library is kept where it can be replaced (docs/decisions.md, modules)");
    }

    private static List<ArchRule> production(ProjectModule module) {
        List<ArchRule> rules = new ArrayList<>();
        DescribedPredicate<JavaClass> here = within(below(module.root()));
        rules.add(forbid(
                here,
                dependOn(within(below(ProjectModule.TESTKIT.root()))),
                module + ": does not use the test kit",
                "production imports nothing of platform/testkit (docs/decisions.md, modules)"));
        rules.add(forbid(
                here,
                dependOn(within("java.util.logging..")),
                module + ": does not use java.util.logging",
                "logging is slf4j, bound once by the kernel"));
        rules.add(forbid(
                here,
                accessTargetWhere(target(name("sleep"))
                        .and(targetOwner(assignableTo(Thread.class).or(assignableTo(TimeUnit.class))))),
                module + ": never sleeps",
                "time passes on an event loop's timers, so that it can be simulated (docs/decisions.md, modules)"));
        if (module.kind() != Kind.APPLICATION) { // standard output is for the user's program
            rules.add(
                    forbid(
                            here.and(not(name(ProjectModule.KERNEL.root() + ".Main")))
                                    .and(not(
                                            name(ProjectModule.KERNEL.root() + ".internal.logging.ProcessErrorStream")))
                                    .and(not(name(ProjectModule.EMBEDDED.root() + ".StandardErrorLogger")))
                                    .and(not(name(ProjectModule.STATUS.root() + ".progress.TerminalLine"))),
                            ACCESS_STANDARD_STREAMS,
                            module + ": does not write to the process's own standard streams",
                            "a role writes to the streams of its RoleLaunch; only the kernel's Main, the log and the progress bar know the process's"));
        }
        return rules;
    }

    /** The rules for every module that its classes can show. */
    private static List<ArchRule> nevers() {
        List<ArchRule> rules = new ArrayList<>();
        rules.add(forbid(
                within(below(ProjectModule.ENGINE.root())),
                dependOn(nameMatching("java\\.net\\..*Socket.*|java\\.nio\\.channels\\..*(Socket|Selector).*")
                        .forSubtype()),
                ProjectModule.ENGINE + ": opens no sockets",
                "messages leave through RpcEnv (docs/decisions.md, modules)"));
        for (ProjectModule shell : ProjectModule.of(Kind.SHELL)) {
            rules.add(forbid(
                    within(below(shell.root())),
                    dependOn(nameMatching(
                                    "dev\\.hearth\\.spi\\.rpc\\.(Protocol|EndpointRef|Peer|Rpc(Endpoint|Call)|Receiver)(\\$.*)?")
                            .forSubtype()),
                    shell + ": sends no messages of its own",
                    "a shell speaks to a cluster through its manager, never in raw RPC (docs/decisions.md, modules)"));
        }
        return rules;
    }

    /** No class of {@code who} may do {@code what}; also holds if there is no such class. */
    static ArchRule forbid(
            DescribedPredicate<? super JavaClass> who, ArchCondition<JavaClass> what, String words, String reason) {
        return noClasses().that(who).should(what).as(words).because(reason).allowEmptyShould(true);
    }

    static ArchCondition<JavaClass> dependOn(DescribedPredicate<? super JavaClass> target) {
        return com.tngtech.archunit.lang.conditions.ArchConditions.dependOnClassesThat(target);
    }

    private static DescribedPredicate<JavaClass> offeredTo(ProjectModule module) {
        String[] offered =
                module.modules().stream().map(other -> below(other.offered())).toArray(String[]::new);
        return within(offered).and(not(within("..internal..")));
    }

    private static String[] roots(List<ProjectModule> modules) {
        return modules.stream().map(module -> below(module.root())).toArray(String[]::new);
    }

    private static DescribedPredicate<JavaClass> within(String... packages) {
        return resideInAnyPackage(packages);
    }

    private static <T> DescribedPredicate<T> not(DescribedPredicate<T> predicate) {
        return DescribedPredicate.not(predicate);
    }

    private static String below(String root) {
        return root + "..";
    }
}
