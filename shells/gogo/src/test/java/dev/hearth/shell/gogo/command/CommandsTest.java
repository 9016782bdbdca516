package dev.hearth.shell.gogo.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.kernel.Deployer;
import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsCatalog;
import dev.hearth.spi.settings.SettingsGroup;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.felix.gogo.runtime.CommandProcessorImpl;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each command as typed, on a simulated kernel. */
class CommandsTest {
    private static final String[] ALL = {
        "info", "bundles", "services", "managers", "conf", "deployed", "log", "threads", "why x", "help"
    };

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final CommandProcessorImpl processor = new CommandProcessorImpl(null);
    private final KernelCommands kernel =
            new KernelCommands(Clock.fixed(Kernels.STARTED.plusSeconds(90), ZoneOffset.UTC));
    private final BundleCommands bundles = new BundleCommands();
    private final DeployCommands deploy = new DeployCommands(this::pause);
    private final ConfigurationCommands configuration = new ConfigurationCommands();
    private final ManagerCommands managers = new ManagerCommands();
    private final CompletionCommand completion = new CompletionCommand();
    private final Kernels.Dropped dropped = new Kernels.Dropped();
    private final PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
    private final CommandSession session = processor.createSession(InputStream.nullInputStream(), out, out);

    @TempDir
    private Path directory;

    private long waited; // milliseconds
    private Deployer.@Nullable State decision;

    @BeforeEach
    void fill() {
        Settings settings = Settings.empty()
                .with("conf/hearth-defaults.conf line 3", "hearth.store.password", "hunter2")
                .with("--conf", "hearth.test.size", "7");
        KernelInfo info = new Kernels.Info(settings);
        Kernels.Bundles inventory = new Kernels.Bundles();
        Kernels.Levels levels = new Kernels.Levels();
        SettingsGroup group = new TestSettings();
        kernel.kernel = info;
        kernel.inventory = inventory;
        kernel.logs = levels;
        bundles.inventory = inventory;
        deploy.deployer = dropped;
        configuration.kernel = info;
        configuration.declared = () -> new SettingsCatalog(List.of(group), directory);
        managers.inventory = inventory;
        completion.kernel = info;
        completion.declared = configuration.declared;
        completion.inventory = inventory;
        completion.deployer = dropped;
        completion.logs = levels;
        add(kernel, "info", "log");
        add(bundles, "bundles", "services", "why");
        add(deploy, "deploy", "undeploy", "deployed");
        add(configuration, "conf");
        add(managers, "managers");
        add(new ThreadCommands(), "threads");
        HelpCommands help = new HelpCommands();
        help.inventory = inventory;
        add(help, "help");
        add(completion, "complete");
        processor.addCommand("dropped", new Undescribed(), "drop");
        processor.addCommand("other", new Undescribed(), "info");
        session.put("SCOPE", "hearth");
    }

    @Test
    void tellsAboutTheProcess() throws Exception {
        String text = run("info");
        assertTrue(text.startsWith("role          shell\nversion       1.2.3\nhome          /home\n"), text);
        assertTrue(text.contains("startMillis   321\nupSeconds     90\n"), text);
        assertTrue(text.endsWith("bundles       2\nwithProblems  1\n"), text);
    }

    @Test
    void listsBundlesAndFindsThemByAPartOfTheirName() throws Exception {
        assertTrue(run("bundles").contains("example-manager"));
        String found = run("bundles framework --json");
        assertEquals(
                "[{\"id\":0,\"name\":\"org.apache.felix.framework\",\"version\":\"7.0.5\",\"state\":\"ACTIVE\","
                        + "\"from\":\"bundles\",\"problem\":\"\"}]\n",
                found);
        assertEquals("no such bundle\n", run("bundles nobody"));
    }

    @Test
    void listsServicesByShortNameForPeopleAndWholeForPrograms() throws Exception {
        String text = run("services");
        assertTrue(text.contains("RoleMain") && !text.contains("dev.hearth.spi.role"), text);
        assertTrue(run("services --json").contains("\"types\":[\"dev.hearth.spi.role.RoleMain\"]"));
        assertEquals("no such service\n", run("services Nothing"));
    }

    @Test
    void hidesSecretsAndTellsWhereSettingsCameFrom() throws Exception {
        String text = run("conf");
        assertTrue(text.contains("(hidden)") && !text.contains("hunter2"), text);
        assertTrue(text.contains("conf/hearth-defaults.conf line 3"), text);
        assertEquals(
                "[{\"key\":\"hearth.test.size\",\"value\":\"7\",\"origin\":\"--conf\",\"owner\":\"test\"}]\n",
                run("conf hearth.test --json"));
        assertTrue(run("conf hearth.test --all").contains("hearth.test.unset"));
    }

    @Test
    void changesLevels() throws Exception {
        assertTrue(run("log dev.hearth.rpc").contains("INFO"));
        run("log dev.hearth.rpc debug");
        assertTrue(run("log").contains("dev.hearth.rpc"));
        run("log dev.hearth.rpc inherit");
        assertTrue(!run("log").contains("dev.hearth.rpc"));
    }

    @Test
    void givesOrdersToTheDeployer() throws Exception {
        Path jar = Files.createFile(directory.resolve("new-1.jar"));
        assertEquals("file  new-1.jar\n", run("deploy --no-wait " + jar));
        assertEquals("{\"file\":\"example-1.jar\"}\n", run("undeploy example-1.jar --json"));
        assertEquals(List.of("deploy new-1.jar", "undeploy example-1.jar"), dropped.orders);
        assertTrue(run("deployed").contains("application pi"));
    }

    /** Acts as the deployer, which decides about the file at its second look. */
    private void pause(long millis) {
        waited += millis;
        if (decision != null) {
            Deployer.State state = dropped.more.isEmpty() ? Deployer.State.SETTLING : decision;
            String problem = decision == Deployer.State.REFUSED ? "needs the package a.b" : "";
            dropped.more.clear();
            dropped.more.add(new Deployer.Deployed("new-1.jar", "fedc", "new", "1.0.0", state, problem, List.of()));
        }
    }

    @Test
    void waitsUntilADeployedBundleRuns() throws Exception {
        Path jar = Files.createFile(directory.resolve("new-1.jar"));
        decision = Deployer.State.RUNNING;
        assertEquals(
                "{\"file\":\"new-1.jar\",\"name\":\"new\",\"version\":\"1.0.0\",\"state\":\"RUNNING\"}\n",
                run("deploy --json " + jar));
        assertEquals(100, waited);
    }

    @Test
    void failsWhenADeployedBundleIsRefusedOrNotDecidedAbout() throws Exception {
        Path jar = Files.createFile(directory.resolve("new-1.jar"));
        HearthException undecided = assertThrows(HearthException.class, () -> run("deploy " + jar));
        assertTrue(String.valueOf(undecided.getMessage()).contains("neither running nor refused after 60 s"));
        assertEquals(DeployCommands.WAIT_MILLIS_MAX, waited);
        decision = Deployer.State.REFUSED;
        HearthException refused = assertThrows(HearthException.class, () -> run("deploy " + jar));
        assertEquals(
                "hearth:deploy: 'new-1.jar': refused: needs the package a.b; undeploy removes the file",
                refused.getMessage());
        assertEquals("NOT_DEPLOYED", refused.code());
        assertTrue(run("deployed").contains("\n    needs the package a.b\n"), "on a line of its own");
    }

    @Test
    void dumpsThreads() throws Exception {
        String me = Thread.currentThread().getName();
        assertTrue(run("threads").contains(me));
        assertTrue(run("threads --dump").contains("    at "));
    }

    @Test
    void helpsWithEveryCommandInOneLineOfAPage() throws Exception {
        session.put(CommandCall.WIDTH, 100);
        String text = run("help");
        assertEquals(15, text.lines().count(), text);
        assertTrue(text.lines().anyMatch(line -> line.matches("example-drop +drop +Command without.*")), text);
        assertTrue(text.lines().anyMatch(line -> line.matches("Process +info +Shows role.*")), text);
        assertTrue(text.lines().anyMatch(line -> line.matches(" +other:info +Command without.*")), text);
        assertTrue(run("help --json").startsWith("[{\"topic\":\"Process\",\"command\":\"info\",\"what\""));
        assertTrue(!text.contains("complete"), text);
        assertTrue(run("help log").contains("log LOGGER LEVEL"));
        assertTrue(run("help hearth:log").contains("log LOGGER LEVEL"));
    }

    @Test
    void derivesTheUsageOfCommandsWithoutADescription() throws Exception {
        assertEquals("""
                command  dropped:drop
                what     Command without a description.
                use      drop TEXT
                         drop NUMBER true|false [TEXT...]
                """, run("help drop"));
        assertTrue(run("help threads").contains("examples  threads --dump | less\n"));
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 80, 132})
    void fitsEveryTableIntoTheWidth(int width) throws Exception {
        session.put(CommandCall.WIDTH, width);
        for (String command : ALL) {
            String text = run(command);
            if (width >= 80) {
                assertTrue(text.lines().allMatch(line -> line.length() <= width), () -> command + "\n" + text);
            }
            assertTrue(!text.isBlank(), command);
        }
    }

    @Test
    void knowsJsonInEveryCommand() throws Exception {
        for (String command : ALL) {
            String text = run(command + " --json");
            assertEquals(1, text.lines().count(), text);
            assertTrue(text.startsWith("{") || text.startsWith("["), text);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "info --jsn         | BAD_ARGUMENT | hearth:info: unknown option '--jsn' (expected: --json); see"
                        + " 'help hearth:info'",
                "info more          | BAD_ARGUMENT | hearth:info: unexpected argument 'more' (expected: no arguments)",
                "why                | BAD_ARGUMENT | hearth:why: argument 1 missing (expected: bundle)",
                "bundles a b        | BAD_ARGUMENT | hearth:bundles: unexpected argument 'b' (expected: at most 1"
                        + " argument)",
                "log ROOT LOUD      | BAD_ARGUMENT | hearth:log: level 'LOUD' (expected: one of [TRACE, DEBUG, INFO,",
                "help bundels       | BAD_ARGUMENT | command 'bundels': unknown (expected: one that 'help' lists); did"
                        + " you mean bundles?",
                "deploy /no/such.jar| PATH_MISSING | hearth:deploy: '/no/such.jar': no such file (expected: a jar)",
                "undeploy other.jar | NOT_DEPLOYED | deploy/other.jar: no such file"
            })
    void refusesInWords(String line, String code, String message) {
        HearthException refusal = assertThrows(HearthException.class, () -> run(line));
        assertEquals(code, refusal.code());
        assertTrue(String.valueOf(refusal.getMessage()).startsWith(message), refusal::getMessage);
    }

    @Test
    void saysThatAProcessDoesNotFollowTheDirectory() throws Exception {
        dropped.isEmpty = true;
        assertEquals("deploy/ holds no bundle\n", run("deployed"));
        dropped.isWatching = false;
        assertEquals(
                "this process does not follow deploy/; --to HOST:PORT asks one that does, such as a master\n",
                run("deployed"));
        assertEquals("[]\n", run("deployed --json"));
    }

    @Test
    void saysThatAServiceIsAbsent() {
        kernel.kernel = null;
        HearthException refusal = assertThrows(HearthException.class, () -> run("info"));
        assertEquals("NO_PROVIDER", refusal.code());
        assertTrue(
                Objects.requireNonNull(refusal.getMessage())
                        .startsWith("hearth:info: no service KernelInfo in this process (expected: one)"),
                refusal::getMessage);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bu                 | [bundles]",
                "in                 | [info]",
                "hea                | [hearth:]",
                "dro                | [drop, dropped:]",
                "help dro           | [drop]",
                "hearth:de          | [hearth:deploy, hearth:deployed]",
                "why ex             | [example-manager-with-a-name]",
                "conf hearth.test.  | [hearth.test.size, hearth.test.unset]",
                "undep              | [undeploy]",
                "undeploy e         | [example-1.jar]",
                "log dev            | [dev.hearth]",
                "log dev.hearth D   | [DEBUG]",
                "threads --         | [--dump, --json]",
                "info; help serv    | [services]",
                "nosuch a           | []"
            })
    void completes(String typed, String candidates) {
        Collection<String> found = completion.candidates(typed, new TreeMap<>(CommandCatalog.described(session)));
        assertEquals(candidates, found.toString());
    }

    @Test
    void completesPathsOfJars() throws Exception {
        Files.createFile(directory.resolve("new-1.jar"));
        Files.createFile(directory.resolve("notes.txt"));
        Files.createDirectory(directory.resolve("nested"));
        Collection<String> found = completion.candidates("deploy " + directory + "/n", new TreeMap<>());
        assertEquals(List.of(directory + "/nested/", directory + "/new-1.jar"), List.copyOf(found));
    }

    @Test
    void answersCompletionAsACommandWhateverWasTyped() throws Exception {
        assertEquals("bundles\n", run(CompletionCommand.question("bu")));
        assertEquals("", run(CompletionCommand.question("deploy '$x \"(")));
    }

    private void add(Object target, String... functions) {
        for (String function : functions) {
            processor.addCommand("hearth", target, function);
        }
    }

    private String run(String line) throws Exception {
        output.reset();
        session.execute(line);
        return output.toString(StandardCharsets.UTF_8);
    }

    /** A command as a user writes the first one. */
    public static final class Undescribed {
        public String drop(String name) {
            return name;
        }

        public String drop(CommandSession session, int number, boolean flag, String[] more) {
            return session + "" + number + flag + more.length;
        }

        public String info() {
            return "other";
        }
    }

    private static final class TestSettings implements SettingsGroup {
        @Override
        public String owner() {
            return "test";
        }

        @Override
        public List<SettingKey<?>> keys() {
            return List.of(
                    SettingKey.integer("hearth.test.size", 1, 0, 9, "A size."),
                    SettingKey.flag("hearth.test.unset", false, "Not given."));
        }
    }
}
