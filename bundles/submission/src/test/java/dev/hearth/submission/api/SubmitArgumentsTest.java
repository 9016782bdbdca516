package dev.hearth.submission.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.FlagRule;
import dev.hearth.spi.cluster.InstalledRules;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionResource.Kind;
import dev.hearth.spi.cluster.SubmissionRuleTable;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Settings;
import dev.hearth.testkit.TestingRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Flags, syntax, ranks and errors of the command line. */
class SubmitArgumentsTest {
    private static final InstalledRules RULES = new TestingRules(List.of(
            "yarn\t--queue\t-q\tNAME\thearth.yarn.queue\tclient,cluster\ttext\tlast\tqueue of the application",
            "yarn\t--num-executors\t-\tN\thearth.yarn.executors\tclient,cluster\tnumber\tlast\tnumber of containers",
            "yarn\t--keytab\t-\tFILE\thearth.yarn.keytab\tclient,cluster\tfiles\tlast\tfile with keys",
            "yarn\t--label\t-\tTEXT\thearth.yarn.labels\tcluster\ttext\tappend\tlabels of the application",
            "yarn\t--heap\t-\tSIZE\thearth.yarn.heap\tcluster\tsize\tlast\theap of the application's manager",
            "yarn\t--urgent\t-\t-\thearth.yarn.urgent\tcluster\tswitch\tlast\tgo first",
            "yarn\trefuse\t--supervise\t-\tYARN starts drivers again (expected: no --supervise)",
            "hearth\tfiles\tclient\tfile"));

    @TempDir
    Path directory = Path.of("");

    private final List<String> warnings = new ArrayList<>();

    @BeforeEach
    void makeJars() throws IOException {
        jar("a.jar", "com.example.App");
        jar("b.jar", "");
        jar("bare.jar", "");
    }

    @Test
    void runsLocallyOnAllCoresNamedAfterTheMainClassByDefault() {
        SubmissionRequest.Submit request = submit("a.jar");
        assertEquals("local[*]", request.master().text());
        assertEquals(DeployMode.CLIENT, request.mode());
        assertEquals("com.example.App", request.plan().mainClass());
        assertEquals("com.example.App", request.plan().name());
        assertEquals(List.of(path("a.jar")), paths(request, Kind.APPLICATION_JAR));
        assertEquals(List.of(), request.plan().arguments());
        assertTrue(request.waits());
        assertFalse(request.verbose());
        assertEquals(
                Map.of("hearth.master", "local[*]", "hearth.submit.deployMode", "client"),
                request.plan().settings().values());
    }

    @ParameterizedTest
    @CsvSource({
        "--name, my name, hearth.app.name",
        "--driver-memory, 2g, hearth.driver.memory",
        "--driver-cores, 2, hearth.driver.cores",
        "--driver-java-options, '-Da=b -Dc', hearth.driver.extraJavaOptions",
        "--driver-library-path, /a:/b, hearth.driver.extraLibraryPath",
        "--executor-memory, 512m, hearth.executor.memory",
        "--executor-cores, 3, hearth.executor.cores",
        "--total-executor-cores, 12, hearth.cores.max",
        "--num-executors, 4, hearth.executor.instances",
        "--master, 'local[3]', hearth.master",
        "--deploy-mode, cluster, hearth.submit.deployMode"
    })
    void readsAFlagInBothSyntaxesAndAsASetting(String flag, String value, String key) {
        for (List<String> form : List.of(
                List.of(flag, value),
                List.of(flag + "=" + value),
                List.of("--conf", key + "=" + value),
                List.of("-c", key + "=" + value),
                List.of("--conf=" + key.replace("hearth.", "spark.") + "=" + value))) {
            List<String> line = new ArrayList<>(form);
            line.add("a.jar");
            Settings settings = submit(line.toArray(new String[0])).plan().settings();
            assertEquals(value, settings.find(key).orElse("none"), form::toString);
        }
    }

    @Test
    void resolvesTheDriversClassPathOnlyInClientMode() throws IOException {
        Path inner = Files.createDirectories(directory.resolve("inner"));
        Files.writeString(inner.resolve("x.jar"), "");
        Files.writeString(inner.resolve("w.jar"), "");
        Files.writeString(inner.resolve("text"), "");
        String here = submit("--driver-class-path", "b.jar:inner:inner/*:", "a.jar")
                .plan()
                .settings()
                .find("hearth.driver.extraClassPath")
                .orElse("");
        assertEquals(String.join(":", path("b.jar"), inner.toString(), inner + "/w.jar", inner + "/x.jar"), here);
        String there = submit("--deploy-mode=cluster", "--conf", "spark.driver.extraClassPath=c.jar:d/*", "a.jar")
                .plan()
                .settings()
                .find("hearth.driver.extraClassPath")
                .orElse("");
        assertEquals("c.jar:d/*", there);
        refuses(
                ErrorCode.PATH_MISSING,
                "class path from --driver-class-path: 'x.jar': no such file",
                "--driver-class-path=x.jar",
                "a.jar");
        refuses(
                ErrorCode.PATH_MISSING,
                "class path from --driver-class-path: 'none/*': no such directory",
                "--driver-class-path=none/*",
                "a.jar");
    }

    @Test
    void passesEverythingAfterTheJarToTheApplication() {
        SubmissionRequest.Submit request =
                submit("--class", "x.Y", "-v", "--no-wait", "bare.jar", "--master", "x", "-h", "", "b.jar");
        assertEquals("x.Y", request.plan().mainClass());
        assertEquals(List.of("--master", "x", "-h", "", "b.jar"), request.plan().arguments());
        assertTrue(request.verbose());
        assertFalse(request.waits());
    }

    @Test
    void ranksFlagsOverConfOverPropertiesFileOverInstallation() throws IOException {
        Files.writeString(
                directory.resolve("my.properties"),
                "hearth.a file\nspark.b = file\nhearth.c: file\nhearth.driver.memory=4g\nother=1\n");
        Settings installation = Settings.empty()
                .with("conf", Map.of("hearth.a", "installed", "hearth.b", "installed", "hearth.d", "installed"));
        SubmissionRequest.Submit request = assertInstanceOf(
                SubmissionRequest.Submit.class,
                SubmitArguments.parse(
                        List.of(
                                "--driver-memory",
                                "1g",
                                "--properties-file",
                                "my.properties",
                                "-c",
                                "hearth.a=conf",
                                "-c",
                                "hearth.driver.memory=2g",
                                "-c",
                                "foreign=1",
                                "a.jar"),
                        installation,
                        RULES,
                        settings -> {},
                        warnings::add,
                        directory,
                        Map.of()));
        Settings settings = request.plan().settings();
        assertEquals("conf", settings.find("hearth.a").orElse(""));
        assertEquals("file", settings.find("hearth.b").orElse(""));
        assertEquals("file", settings.find("hearth.c").orElse(""));
        assertEquals("installed", settings.find("hearth.d").orElse(""));
        assertEquals("1g", settings.find("hearth.driver.memory").orElse(""));
        assertEquals("--driver-memory", settings.origin("hearth.driver.memory").orElse(""));
        assertEquals("my.properties line 3", settings.origin("hearth.c").orElse(""));
        assertFalse(settings.values().containsKey("foreign"));
        assertFalse(settings.values().containsKey("other"));
    }

    @Test
    void usesTheLastValueOfARepeatedFlag() {
        assertEquals(
                "second",
                submit("--name", "first", "--name=second", "a.jar").plan().name());
    }

    @Test
    void makesPathsAbsolute() throws IOException {
        Files.createDirectory(directory.resolve("sub"));
        SubmissionRequest.Submit request = submit(
                "--jars",
                "b.jar, ./sub/../bare.jar",
                directory.resolve("a.jar").toUri().toString());
        assertEquals(List.of(path("a.jar")), paths(request, Kind.APPLICATION_JAR));
        assertEquals(List.of(path("b.jar"), path("bare.jar")), paths(request, Kind.JAR));
        assertEquals(
                path("b.jar") + "," + path("bare.jar"),
                request.plan().settings().find("hearth.jars").orElse(""));
    }

    @Test
    void returnsHelpOrVersionDespiteOtherFlags() {
        assertInstanceOf(SubmissionRequest.Help.class, parse("--master", "local", "--help", "--nonsense"));
        assertInstanceOf(SubmissionRequest.Help.class, parse("-h"));
        assertInstanceOf(SubmissionRequest.Version.class, parse("--version", "--nonsense"));
        for (FlagRule flag : SubmissionRuleTable.of(SubmitArguments.class)
                .rules(SubmissionRuleTable.GENERAL)
                .flags()) {
            assertTrue(SubmitArguments.usage(RULES).contains("  " + flag.name() + " "), flag::name);
        }
    }

    @Test
    void parsesStatusAndKill() {
        SubmissionRequest.Status status = assertInstanceOf(
                SubmissionRequest.Status.class, parse("--status", "driver-1", "--master", "spark://h:7077"));
        assertEquals(new SubmissionPattern("driver-1"), status.submissions());
        assertEquals("hearth", status.master().scheme());
        SubmissionRequest.Kill kill = assertInstanceOf(SubmissionRequest.Kill.class, parse("--kill=driver-2"));
        assertEquals(new SubmissionPattern("driver-2"), kill.submissions());
        SubmissionRequest.Kill all = assertInstanceOf(
                SubmissionRequest.Kill.class, parse("--kill", "driver-*", "-c", "hearth.a=b", "--executor-cores", "2"));
        assertEquals(new SubmissionPattern("driver-*"), all.submissions());
        assertEquals("b", all.settings().find("hearth.a").orElse(""));
        assertEquals("2", all.settings().find("hearth.executor.cores").orElse(""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "                              | application jar: none given (expected: submit [flags]",
                "--master local                | application jar: none given (expected: submit [flags]",
                "--name                        | --name: no value (expected: --name VALUE)",
                "--name --class X a.jar        | --name: no value before --class",
                "--master= a.jar               | --master: no value (expected: --master VALUE)",
                "--name --jars=b a.jar         | --name: no value before --jars=b (expected: --name NAME); write",
                "--packages g:a a.jar          | Provided Maven Coordinates must be in the form 'groupId:artifactId:version'."
                        + " The coordinate provided is: g:a (expected: for example",
                "--packages g:a:1 --exclude-packages x a.jar | excluded package 'x': (expected: group:name, with * for",
                "--jars ivy://g:a:1?no=x a.jar | package 'ivy://g:a:1?no=x': parameter 'no' is unknown (expected: ivy://",
                "--remote=sc://h a.jar         | --remote: Spark Connect is not supported (expected: --master URL)",
                "--master yarn --supervise a.jar | --supervise: YARN starts drivers again (expected: no --supervise)",
                "x.py                          | application 'x.py': a program in Python (expected: a jar); Python is not",
                "--class X dir/x.R             | application 'dir/x.R': a program in R (expected: a jar); R is not",
                "pyspark-shell                 | application 'pyspark-shell': a program in Python (expected: a jar)",
                "--verbose=yes a.jar           | --verbose: 'yes' (expected: no value)",
                "--exectuor-memory 2g a.jar    | --exectuor-memory: unknown flag (expected: one that --help lists);"
                        + " did you mean --executor-memory?",
                "--frobnicate a.jar            | --frobnicate: unknown flag (expected: one that --help lists)",
                "-x a.jar                      | -x: unknown flag (expected",
                "--conf foo a.jar              | --conf: 'foo' (expected: key=value",
                "--conf =foo a.jar             | --conf: '=foo' (expected: key=value",
                "--conf                        | --conf: no value (expected",
                "--master :// a.jar            | master URL: '://' (expected: for example local[2]",
                "--kill a --status b           | --kill and --status: both given (expected: one of them)",
                "--kill                        | --kill: no value (expected: --kill VALUE)",
                "--status                      | --status: no value (expected: --status VALUE)",
                "--status a/b                  | --status: 'a/b' (expected: an id such as driver-",
                "--kill a a.jar                | argument 'a.jar': unexpected (expected: no application",
                "bare.jar                      | main class: none named in the manifest of",
                "--jars s3:a.jar a.jar         | jar from --jars: 's3:a.jar': 's3:a.jar': no absolute address (expected",
                "spark-internal                | application jar: none given (expected: submit [flags]",
                "file:a.jar                    | application jar: 'file:a.jar': ",
            })
    void rejectsErrorsWithTheExpectedSyntax(String line, String start) {
        refuses(ErrorCode.BAD_ARGUMENT, start, words(line));
    }

    @Test
    void setsWhatTheFlagsOfTheChosenClusterSay() {
        Settings settings = submit(
                        "--deploy-mode=cluster",
                        "-q",
                        "one",
                        "--queue=two",
                        "--num-executors",
                        "3",
                        "--urgent",
                        "--keytab",
                        "keys/a,hdfs://h/b,/c",
                        "--label=x",
                        "--label",
                        "y",
                        "-c",
                        "spark.yarn.labels=w",
                        "--heap=1g",
                        "--master",
                        "yarn",
                        "a.jar")
                .plan()
                .settings();
        assertEquals("two", settings.find("hearth.yarn.queue").orElse(""));
        assertEquals("--queue", settings.origin("hearth.yarn.queue").orElse(""));
        assertEquals("3", settings.find("hearth.yarn.executors").orElse(""));
        assertEquals("none", settings.find("hearth.executor.instances").orElse("none"));
        assertEquals("true", settings.find("hearth.yarn.urgent").orElse(""));
        assertEquals(
                path("keys/a") + ",hdfs://h/b,/c",
                settings.find("hearth.yarn.keytab").orElse(""));
        assertEquals("w,x,y", settings.find("hearth.yarn.labels").orElse(""));
        assertEquals("1g", settings.find("hearth.yarn.heap").orElse(""));
        assertEquals(List.of(), warnings);
    }

    @Test
    void warnsOnceOfFlagsThatOnlyOtherClustersHave() {
        Settings settings = submit("--queue", "one", "--queue", "two", "--urgent", "--supervise", "a.jar")
                .plan()
                .settings();
        assertEquals("none", settings.find("hearth.yarn.queue").orElse("none"));
        assertEquals(
                List.of(
                        "--queue: no effect on master local (expected: a master of [yarn]); the flag is ignored",
                        "--urgent: no effect on master local (expected: a master of [yarn]); the flag is ignored",
                        "--supervise: no effect on master local (expected: a flag that --help lists); the flag is"
                                + " ignored"),
                warnings);
    }

    /** Where the setting has no effect, it is refused or warned of as the flag is. */
    @Test
    void takesTheSettingForSupervisionForItsFlag() {
        List<String> setting = List.of("-c", "spark.driver.supervise=true", "a.jar");
        submit(Stream.concat(Stream.of("--master", "local"), setting.stream()).toArray(String[]::new));
        assertEquals(
                List.of("hearth.driver.supervise: no effect on master local (expected: a flag that --help lists); the"
                        + " setting is ignored"),
                warnings);
        refuses(
                ErrorCode.BAD_ARGUMENT,
                "--supervise: YARN starts drivers again (expected: no --supervise)",
                Stream.concat(Stream.of("--master", "yarn"), setting.stream()).toArray(String[]::new));
        warnings.clear();
        submit("-c", "spark.driver.supervise=false", "a.jar");
        assertEquals(List.of(), warnings);
        InstalledRules rules = new TestingRules(
                List.of("hearth\t--supervise\t-\t-\thearth.driver.supervise\tcluster\tswitch\tlast\tstart it again"));
        for (String mode : List.of("client", "cluster")) {
            SubmissionRequest request = SubmitArguments.parse(
                    Stream.concat(Stream.of("--master", "hearth://h:1", "--deploy-mode", mode), setting.stream())
                            .toList(),
                    Settings.empty(),
                    rules,
                    settings -> {},
                    warnings::add,
                    directory,
                    Map.of());
            SubmissionRequest.Submit submit = assertInstanceOf(SubmissionRequest.Submit.class, request);
            assertEquals(
                    "true",
                    submit.plan().settings().find("hearth.driver.supervise").orElse(""));
        }
        assertEquals(
                List.of("hearth.driver.supervise: no effect in client mode (expected: --deploy-mode cluster)"),
                warnings);
    }

    @Test
    void warnsOfFlagsForTheOtherDeployMode() {
        submit("--no-wait", "--driver-cores", "2", "a.jar");
        assertEquals(
                List.of(
                        "--no-wait: no effect in client mode (expected: --deploy-mode cluster)",
                        "--driver-cores: no effect in client mode (expected: --deploy-mode cluster)"),
                warnings);
        warnings.clear();
        parse("--status", "driver-1", "--driver-cores", "2");
        assertEquals(List.of(), warnings);
    }

    @Test
    void checksTheValuesOfAClustersFlags() {
        HearthException failure = refuses(
                ErrorCode.BAD_SETTING,
                "hearth.yarn.executors: 0 (expected: ",
                "--master=yarn",
                "--num-executors=0",
                "--heap",
                "much",
                "a.jar");
        assertTrue(String.valueOf(failure.getMessage()).contains("\n  hearth.yarn.heap: much (expected: "));
        assertTrue(String.valueOf(failure.getMessage()).endsWith("; from --heap"), failure::getMessage);
    }

    @Test
    void readsEmptyValuesAsNotGiven() {
        SubmissionRequest.Submit request = submit("--name", "", "--jars=", "--executor-cores", " ", "a.jar", "");
        assertEquals("com.example.App", request.plan().name());
        assertEquals(List.of(""), request.plan().arguments());
        assertEquals(
                List.of("--name, --jars, --executor-cores: empty (expected: a value); read as if not given"), warnings);
        assertEquals("first", submit("--name=first", "--name=", "a.jar").plan().name());
    }

    @Test
    void takesValuesThatBeginWithDashes() {
        for (String options : List.of("--add-opens a=b", "--add-opens=a=b", "-Da=b")) {
            Settings settings =
                    submit("--driver-java-options", options, "a.jar").plan().settings();
            assertEquals(
                    options, settings.find("hearth.driver.extraJavaOptions").orElse(""));
        }
        assertEquals(
                "--conf is no flag here",
                submit("--name", "--conf is no flag here", "a.jar").plan().name());
    }

    @Test
    void listsTheFlagsOfEachClusterInItsUsage() {
        String usage = SubmitArguments.usage(RULES);
        assertTrue(usage.contains("\nFlags with --master yarn:\n  --queue NAME "), usage);
        assertTrue(usage.contains("  queue of the application; also -q\n"), usage);
        assertTrue(usage.contains("go first, in cluster mode\n"), usage);
        assertFalse(usage.contains("--supervise"), usage);
        assertFalse(usage.contains("--master hearth:"), usage);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--driver-memory",
                "--executor-memory",
                "--driver-cores",
                "--executor-cores",
                "--total-executor-cores",
                "--num-executors"
            })
    void rejectsNumbersThatAreNotPositive(String flag) {
        for (String value : List.of("0", "x", "-1", "99999999999999")) {
            HearthException failure =
                    refuses(ErrorCode.BAD_SETTING, "hearth.", flag + "=" + value, "--class=X", "a.jar");
            String message = String.valueOf(failure.getMessage());
            assertTrue(message.contains(": " + value + " (expected: "), message);
            assertTrue(message.endsWith("; from " + flag), message);
        }
    }

    @Test
    void reportsAllInvalidSettingsTogether() {
        HearthException failure = refuses(
                ErrorCode.BAD_SETTING, "2 invalid settings:", "--driver-cores=0", "--executor-cores=x", "a.jar");
        assertTrue(String.valueOf(failure.getMessage()).contains("from --executor-cores"), failure::getMessage);
    }

    @Test
    void rejectsMissingFiles() throws IOException {
        refuses(
                ErrorCode.PATH_MISSING,
                "application jar: 'x.jar': no such file (expected: a jar on this machine); looked for " + path("x.jar"),
                "--class",
                "X",
                "x.jar");
        refuses(ErrorCode.PATH_MISSING, "application jar: 'file:/none/x.jar': no such file", "file:/none/x.jar");
        refuses(ErrorCode.PATH_MISSING, "jar from --jars: 'x.jar': no such file", "--jars", "b.jar,x.jar", "a.jar");
        refuses(ErrorCode.PATH_MISSING, "--properties-file: 'x': no such file", "--properties-file", "x", "a.jar");
        refuses(ErrorCode.PATH_MISSING, "application jar: '.': a directory (expected", ".");
        Files.writeString(directory.resolve("text.jar"), "no jar");
        refuses(ErrorCode.PATH_MISSING, "application jar: '" + path("text.jar") + "': ", "text.jar");
    }

    @Test
    void rejectsAMalformedPropertiesFile() throws IOException {
        Files.writeString(directory.resolve("bad.properties"), "hearth.a=1\nlonely\n");
        refuses(
                ErrorCode.BAD_SETTING,
                "bad.properties line 2: 'lonely' (expected: a key and its value",
                "--properties-file",
                "bad.properties",
                "a.jar");
    }

    @ParameterizedTest
    @CsvSource({"--deploy-mode=clster, --deploy-mode", "--conf=spark.submit.deployMode=clster, --conf"})
    void rejectsAnUnsupportedDeployMode(String given, String origin) {
        refuses(
                ErrorCode.BAD_SETTING,
                "hearth.submit.deployMode: clster (expected: one of [client, cluster]); from " + origin,
                given,
                "a.jar");
    }

    @Test
    void ranksLaterPropertiesFilesOverEarlierOnes() throws IOException {
        Files.writeString(directory.resolve("1.conf"), "hearth.a one\nhearth.b one\nhearth.c ${hearth.a}");
        Files.writeString(directory.resolve("2.conf"), "spark.a two\nhearth.d ${env:TEAM}");
        Settings settings = submit("--properties-file", "1.conf", "--properties-file=2.conf", "a.jar")
                .plan()
                .settings();
        assertEquals("two", settings.find("hearth.a").orElse(""));
        assertEquals("one", settings.find("hearth.b").orElse(""));
        assertEquals("two", settings.find("hearth.c").orElse(""));
        assertEquals("blue", settings.find("hearth.d").orElse(""));
    }

    @Test
    void ranksExtraPropertiesFilesOverTheOthersAndBelowTheCommandLine() throws IOException {
        Files.writeString(directory.resolve("1.conf"), "spark.a one\nspark.b one\nspark.c one\nspark.d one");
        Files.writeString(directory.resolve("2.conf"), "spark.b two\nspark.c two\nspark.d two");
        Files.writeString(directory.resolve("3.conf"), "spark.c three\nspark.d three");
        Settings settings = submit(
                        "--properties-file",
                        "1.conf",
                        "--extra-properties-file",
                        "2.conf",
                        "--extra-properties-file",
                        "3.conf",
                        "--conf",
                        "spark.d=four",
                        "a.jar")
                .plan()
                .settings();
        assertEquals(
                List.of("one", "two", "three", "four"),
                Stream.of("a", "b", "c", "d")
                        .map(name -> settings.find("hearth." + name).orElse(""))
                        .toList());
    }

    @Test
    void checksTheCombinedSettingsFirst() {
        List<Settings> checked = new ArrayList<>();
        HearthException failure = assertThrows(
                HearthException.class,
                () -> SubmitArguments.parse(
                        List.of("-c", "hearth.x=1", "--driver-cores=0", "none.jar"),
                        Settings.empty(),
                        RULES,
                        settings -> {
                            checked.add(settings);
                            throw ErrorCode.BAD_SETTING.failure("checked");
                        },
                        warnings::add,
                        directory,
                        Map.of()));
        assertEquals("checked", failure.getMessage());
        assertEquals("0", checked.get(0).find("hearth.driver.cores").orElse(""));
    }

    private HearthException refuses(ErrorCode code, String start, String... words) {
        HearthException failure = assertThrows(HearthException.class, () -> parse(words));
        assertTrue(String.valueOf(failure.getMessage()).startsWith(start), failure::getMessage);
        assertEquals(code.name(), failure.code(), failure::getMessage);
        return failure;
    }

    private SubmissionRequest parse(String... words) {
        return SubmitArguments.parse(
                List.of(words),
                Settings.empty(),
                RULES,
                settings -> {},
                warnings::add,
                directory,
                Map.of("TEAM", "blue"));
    }

    private SubmissionRequest.Submit submit(String... words) {
        return assertInstanceOf(SubmissionRequest.Submit.class, parse(words));
    }

    private static List<String> paths(SubmissionRequest.Submit request, Kind kind) {
        return request.plan().resources(kind).stream()
                .map(resource -> resource.path().toString())
                .toList();
    }

    private static String[] words(String line) {
        return line == null || line.isBlank() ? new String[0] : line.trim().split("\\s+");
    }

    private String path(String name) {
        return directory.resolve(name).toAbsolutePath().toString();
    }

    private void jar(String name, String mainClass) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        if (!mainClass.isEmpty()) {
            manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, mainClass);
        }
        new JarOutputStream(Files.newOutputStream(directory.resolve(name)), manifest).close();
    }
}
