package dev.hearth.itests.architecture;

import static dev.hearth.itests.architecture.Library.AIRCOMPRESSOR;
import static dev.hearth.itests.architecture.Library.ANNOTATIONS;
import static dev.hearth.itests.architecture.Library.ASM;
import static dev.hearth.itests.architecture.Library.CIPHERS;
import static dev.hearth.itests.architecture.Library.COMPONENTS;
import static dev.hearth.itests.architecture.Library.FELIX;
import static dev.hearth.itests.architecture.Library.FRAMEWORK;
import static dev.hearth.itests.architecture.Library.GOGO;
import static dev.hearth.itests.architecture.Library.HADOOP;
import static dev.hearth.itests.architecture.Library.JACKSON;
import static dev.hearth.itests.architecture.Library.JLINE;
import static dev.hearth.itests.architecture.Library.JSON_TREES;
import static dev.hearth.itests.architecture.Library.JUNIT;
import static dev.hearth.itests.architecture.Library.KERBEROS;
import static dev.hearth.itests.architecture.Library.KUBERNETES_CLIENT;
import static dev.hearth.itests.architecture.Library.LOGBACK;
import static dev.hearth.itests.architecture.Library.MACHINE;
import static dev.hearth.itests.architecture.Library.MANAGEMENT;
import static dev.hearth.itests.architecture.Library.MAVEN_RESOLVER;
import static dev.hearth.itests.architecture.Library.NETTY;
import static dev.hearth.itests.architecture.Library.SLF4J;
import static dev.hearth.itests.architecture.Library.TLS;
import static dev.hearth.itests.architecture.Library.XML;
import static dev.hearth.itests.architecture.Library.ZOOKEEPER;
import static dev.hearth.itests.architecture.ProjectModule.Kind.APPLICATION;
import static dev.hearth.itests.architecture.ProjectModule.Kind.BUILD;
import static dev.hearth.itests.architecture.ProjectModule.Kind.BUNDLE;
import static dev.hearth.itests.architecture.ProjectModule.Kind.CLIENT;
import static dev.hearth.itests.architecture.ProjectModule.Kind.CONTRACT;
import static dev.hearth.itests.architecture.ProjectModule.Kind.CORE;
import static dev.hearth.itests.architecture.ProjectModule.Kind.EXTENSION;
import static dev.hearth.itests.architecture.ProjectModule.Kind.MANAGER;
import static dev.hearth.itests.architecture.ProjectModule.Kind.MEASUREMENT;
import static dev.hearth.itests.architecture.ProjectModule.Kind.SHELL;
import static dev.hearth.itests.architecture.ProjectModule.Kind.TEST;
import static dev.hearth.itests.architecture.ProjectModule.Kind.WIRING;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The table of modules: directory, root package, kind, the modules it may use, and the libraries beyond those of its kind. A
 * new module is one line here.
 * <p>A module can only name modules above it, so the table holds no cycle. Planned modules that a rule names are listed before
 * they have code; {@link ModuleTableTest} checks that each module with code has its line.
 */
@SuppressWarnings("ImmutableEnumChecker") // its lists are made by List.of and Stream.toList
enum ProjectModule {
    API("platform/api", "dev.hearth.api", CONTRACT, on()),
    SPI("platform/spi", "dev.hearth.spi", CONTRACT, on(API), TLS),
    RPC("platform/rpc", "dev.hearth.rpc", CORE, on(API, SPI), COMPONENTS, NETTY, TLS, CIPHERS, MACHINE, FRAMEWORK),
    STATUS("platform/status", "dev.hearth.status", CORE, on(API, SPI), COMPONENTS),
    /** Several Maven modules, in the {@link EngineLayer layers} of one bundle. */
    ENGINE(
            "platform/engine",
            "dev.hearth.engine",
            CORE,
            on(API, SPI, STATUS),
            COMPONENTS,
            AIRCOMPRESSOR,
            CIPHERS,
            MANAGEMENT,
            XML),
    KERNEL("platform/kernel", "dev.hearth.kernel", CORE, on(API, SPI), LOGBACK, FELIX, FRAMEWORK, MANAGEMENT, XML),
    TESTKIT("platform/testkit", "dev.hearth.testkit", TEST, on(API, SPI), JUNIT, TLS),
    LAUNCHER("platform/launcher", "dev.hearth.launcher", CLIENT, on()),
    SUBMISSION("bundles/submission", "dev.hearth.submission", BUNDLE, on(API, SPI)),
    REMOTE_SHELL("bundles/remote-shell", "dev.hearth.remoteshell", BUNDLE, on(API, SPI)),
    LAUNCHER_LINK("bundles/launcher-link", "dev.hearth.launcherlink", BUNDLE, on(API, SPI)),
    PACKAGES("bundles/packages", "dev.hearth.packages", BUNDLE, on(API, SPI), MAVEN_RESOLVER, TLS),
    HA_ZOOKEEPER("bundles/ha-zookeeper", "dev.hearth.hazookeeper", BUNDLE, on(API, SPI), ZOOKEEPER),
    HTTP_FS("bundles/http-fs", "dev.hearth.httpfs", BUNDLE, on(API, SPI), TLS),
    SHUFFLE_SERVICE("bundles/shuffle-service", "dev.hearth.shuffleservice", BUNDLE, on(API, SPI)),
    EVENT_LOG("bundles/event-log", "dev.hearth.eventlog", BUNDLE, on(API, SPI), JACKSON),
    STATUS_API("bundles/status-api", "dev.hearth.statusapi", BUNDLE, on(API, SPI), JACKSON),
    REST("bundles/rest", "dev.hearth.rest", BUNDLE, on(API, SPI), JACKSON, CIPHERS),
    HADOOP_CLIENT(
            "bundles/hadoop-client", "dev.hearth.hadoopclient", BUNDLE, on(API, SPI), FRAMEWORK, HADOOP, KERBEROS),
    HADOOP_FS("bundles/hadoop-fs", "dev.hearth.hadoop", BUNDLE, on(API, SPI, HADOOP_CLIENT), HADOOP),
    LOCAL("cluster-managers/local", "dev.hearth.local", MANAGER, on(API, SPI)),
    STANDALONE("cluster-managers/standalone", "dev.hearth.standalone", MANAGER, on(API, SPI), MACHINE, TLS),
    YARN("cluster-managers/yarn", "dev.hearth.yarn", MANAGER, on(API, SPI, HADOOP_CLIENT), HADOOP, GOGO, XML),
    YARN_CONTAINER("cluster-managers/yarn-container", "dev.hearth.yarncontainer", MANAGER, on(API, SPI)),
    KUBERNETES(
            "cluster-managers/kubernetes",
            "dev.hearth.kubernetes",
            MANAGER,
            on(API, SPI),
            KUBERNETES_CLIENT,
            JACKSON,
            JSON_TREES,
            TLS,
            GOGO),
    EMBEDDED("platform/embedded", "dev.hearth.embedded", WIRING, on(API, SPI, ENGINE, SUBMISSION, LOCAL)),
    JUNIT_EXTENSION("platform/junit", "dev.hearth.junit", EXTENSION, on(API, EMBEDDED), JUNIT),
    SUBMIT("shells/submit", "dev.hearth.shell.submit", SHELL, on(API, SPI, SUBMISSION), TLS),
    SHELL_GOGO("shells/gogo", "dev.hearth.shell.gogo", SHELL, on(API, SPI), GOGO, JLINE),
    EXAMPLES("distribution/examples", "dev.hearth.examples", APPLICATION, on(API)),
    CLASS_FORMS("distribution/class-forms", "dev.hearth.classforms", BUILD, on(), ASM),
    BENCH("itests/bench", "dev.hearth.itests.bench", MEASUREMENT, on(API, SPI, EXAMPLES), NETTY);

    /** The kind of a module: its rule, and the libraries that each module of the kind may use. */
    enum Kind {
        CONTRACT("api <- spi <- everything else: what all compile against knows nothing behind it", ANNOTATIONS),
        CORE(
                "api <- spi <- { rpc, status, engine, kernel }: they know neither each other nor any manager, but the engine knows status",
                ANNOTATIONS,
                SLF4J),
        TEST("the test kit doubles spi, so that every module can use it", ANNOTATIONS),
        BUNDLE("a bundle stands on spi, and on the api of other bundles at most", ANNOTATIONS, COMPONENTS, SLF4J),
        MANAGER("managers import neither each other nor engine, rpc, kernel", ANNOTATIONS, COMPONENTS, SLF4J),
        WIRING("embedded is the one module that wires engine, submission and local", ANNOTATIONS, SLF4J),
        SHELL("a shell stands on spi and the api of submission alone", ANNOTATIONS, COMPONENTS, SLF4J),
        EXTENSION("what gives contexts to tests stands on api and embedded", ANNOTATIONS),
        APPLICATION("an application compiles against api alone", ANNOTATIONS),
        CLIENT("a program that starts applications needs the JDK alone", ANNOTATIONS),
        BUILD("a program of the build stands on the JDK and the libraries it is made of", ANNOTATIONS),
        MEASUREMENT("benchmarks use spi like any bundle, and the libraries that set the limit", ANNOTATIONS);

        private final String rule;
        private final List<Library> libraries;

        Kind(String rule, Library... libraries) {
            this.rule = rule;
            this.libraries = List.of(libraries);
        }

        String rule() {
            return rule;
        }
    }

    private final String directory;
    private final String root;
    private final Kind kind;
    private final List<ProjectModule> modules;
    private final List<Library> libraries;

    ProjectModule(String directory, String root, Kind kind, List<ProjectModule> modules, Library... libraries) {
        this.directory = directory;
        this.root = root;
        this.kind = kind;
        this.modules = modules;
        this.libraries =
                Stream.concat(kind.libraries.stream(), Arrays.stream(libraries)).toList();
    }

    private static List<ProjectModule> on(ProjectModule... modules) {
        return List.of(modules);
    }

    static List<ProjectModule> of(Kind kind) {
        return Arrays.stream(values()).filter(module -> module.kind == kind).toList();
    }

    /** The modules whose classes users run: all but the test kit and the benchmarks. */
    static List<ProjectModule> production() {
        return Arrays.stream(values())
                .filter(module -> module.kind != TEST && module.kind != MEASUREMENT)
                .toList();
    }

    /** The module's directory in the tree; also its name in the rules' messages. */
    String directory() {
        return directory;
    }

    /** The package at the top of the module. */
    String root() {
        return root;
    }

    Kind kind() {
        return kind;
    }

    /** The modules whose offered packages this module may use. */
    List<ProjectModule> modules() {
        return modules;
    }

    List<Library> libraries() {
        return libraries;
    }

    /** The packages that other modules may use if the table lets them: of a bundle its api, and never anything internal. */
    String offered() {
        return kind == BUNDLE ? root + ".api" : root;
    }

    @Override
    public String toString() {
        return directory;
    }
}
