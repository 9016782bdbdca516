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
import dev.hearth.itests.architecture.Room.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The rules of {@link Room} as rules over classes. Each is named by its room and itself in words. */
final class RoomRules {
    private static final String OURS = "dev.hearth..";

    private RoomRules() {}

    static List<ArchRule> all() {
        List<ArchRule> rules = new ArrayList<>();
        for (Room room : Room.values()) {
            rules.add(direction(room));
            rules.add(libraries(room));
            rules.add(privacy(room));
        }
        rules.addAll(soleOwners());
        for (Room room : Room.production()) {
            rules.addAll(production(room));
        }
        rules.addAll(nevers());
        rules.addAll(StateMachines.rules());
        rules.addAll(TravelRules.rules());
        return List.copyOf(rules);
    }

    private static ArchRule direction(Room room) {
        DescribedPredicate<JavaClass> foreign =
                within(OURS).and(not(within(below(room.root())))).and(not(offeredTo(room)));
        return forbid(
                within(below(room.root())),
                dependOn(foreign),
                room + ": imports no room but " + room.rooms(),
                room.kind().rule() + " (docs/decisions.md, rooms)");
    }

    private static ArchRule libraries(Room room) {
        List<String> packages = new ArrayList<>(List.of(OURS, "java.."));
        room.libraries().forEach(library -> library.roots().forEach(root -> packages.add(below(root))));
        return forbid(
                within(below(room.root())),
                dependOn(not(within(packages.toArray(String[]::new)))),
                room + ": imports no library but java.* and " + room.libraries(),
                "each room names its libraries in one table (docs/dependencies.md)");
    }

    private static ArchRule privacy(Room room) {
        return forbid(
                within(OURS).and(not(within(below(room.root())))),
                dependOn(within(room.root() + "..internal..")),
                room + ": nobody else imports its internal packages",
                "an internal package is free to change (docs/decisions.md, rooms)");
    }

    private static List<ArchRule> soleOwners() {
        return List.of(
                only(Library.NETTY, Room.RPC, Room.BENCH), // the limit is Netty by itself
                only(Library.FELIX, Room.KERNEL),
                only(Library.FRAMEWORK, Room.KERNEL, Room.RPC),
                only(Library.GOGO, Room.SHELL_GOGO),
                only(Library.JLINE, Room.SHELL_GOGO),
                only(Library.JACKSON, Room.EVENT_LOG, Room.STATUS_API),
                only(Library.AIRCOMPRESSOR, Room.ENGINE),
                only(Library.LOGBACK, Room.KERNEL),
                only(Library.JUNIT, Room.JUNIT_EXTENSION, Room.TESTKIT),
                only(Library.KUBERNETES_CLIENT, Room.KUBERNETES),
                only(Library.HADOOP, Room.HADOOP_CLIENT, Room.HADOOP_FS, Room.YARN));
    }

    private static ArchRule only(Library library, Room... owners) {
        List<Room> rooms = List.of(owners);
        return forbid(
                within(OURS).and(not(within(roots(rooms)))),
                dependOn(within(library.roots().stream().map(RoomRules::below).toArray(String[]::new))),
                "only " + rooms + ": imports " + library.roots(),
                "a foreign library is kept where it can be replaced (docs/decisions.md, rooms)");
    }

    private static List<ArchRule> production(Room room) {
        List<ArchRule> rules = new ArrayList<>();
        DescribedPredicate<JavaClass> here = within(below(room.root()));
        rules.add(forbid(
                here,
                dependOn(within(below(Room.TESTKIT.root()))),
                room + ": does not use the test kit",
                "production imports nothing of platform/testkit (docs/decisions.md, rooms)"));
        rules.add(forbid(
                here,
                dependOn(within("java.util.logging..")),
                room + ": does not use java.util.logging",
                "logging is slf4j, bound once by the kernel"));
        rules.add(forbid(
                here,
                accessTargetWhere(target(name("sleep"))
                        .and(targetOwner(assignableTo(Thread.class).or(assignableTo(TimeUnit.class))))),
                room + ": never sleeps",
                "time passes on an event loop's timers, so that it can be simulated (docs/decisions.md, rooms)"));
        if (room.kind() != Kind.APPLICATION) { // standard output belongs to the user's program
            rules.add(
                    forbid(
                            here.and(not(name(Room.KERNEL.root() + ".Main")))
                                    .and(not(name(Room.EMBEDDED.root() + ".StandardErrorLogger"))),
                            ACCESS_STANDARD_STREAMS,
                            room + ": does not write to the process's own standard streams",
                            "a role writes to the streams of its RoleLaunch; only the kernel's Main and the logging of processes without one know the process's"));
        }
        return rules;
    }

    /** What a room never does, as far as classes can tell. */
    private static List<ArchRule> nevers() {
        List<ArchRule> rules = new ArrayList<>();
        rules.add(forbid(
                within(below(Room.ENGINE.root())),
                dependOn(nameMatching("java\\.net\\..*Socket.*|java\\.nio\\.channels\\..*(Socket|Selector).*")
                        .forSubtype()),
                Room.ENGINE + ": opens no sockets",
                "messages leave through RpcEnv (docs/decisions.md, rooms)"));
        for (Room shell : Room.of(Kind.SHELL)) {
            rules.add(forbid(
                    within(below(shell.root())),
                    dependOn(nameMatching(
                                    "dev\\.hearth\\.spi\\.rpc\\.(Protocol|EndpointRef|Peer|Rpc(Endpoint|Call)|Receiver)(\\$.*)?")
                            .forSubtype()),
                    shell + ": sends no messages of its own",
                    "a shell speaks to a cluster through its manager, never in raw RPC (docs/decisions.md, rooms)"));
        }
        return rules;
    }

    /** No class of {@code who} may do {@code what}; holds as well while there is no such class. */
    static ArchRule forbid(
            DescribedPredicate<? super JavaClass> who, ArchCondition<JavaClass> what, String words, String reason) {
        return noClasses().that(who).should(what).as(words).because(reason).allowEmptyShould(true);
    }

    static ArchCondition<JavaClass> dependOn(DescribedPredicate<? super JavaClass> target) {
        return com.tngtech.archunit.lang.conditions.ArchConditions.dependOnClassesThat(target);
    }

    private static DescribedPredicate<JavaClass> offeredTo(Room room) {
        String[] offered =
                room.rooms().stream().map(other -> below(other.offered())).toArray(String[]::new);
        return within(offered).and(not(within("..internal..")));
    }

    private static String[] roots(List<Room> rooms) {
        return rooms.stream().map(room -> below(room.root())).toArray(String[]::new);
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
