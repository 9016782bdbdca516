package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Uses the shell as scripts do: locally and remotely, with commands from pipes, files and arguments. */
@Timeout(120)
class ShellIT {
    private static final String[] COMMANDS = {
        "info",
        "bundles",
        "services",
        "managers",
        "conf --all",
        "deployed",
        "log",
        "threads",
        "threads --dump",
        "why hearth-shell-gogo",
        "help",
        "help hearth:why"
    };

    @TempDir
    static Path scratch;

    private static Installation installation;

    @BeforeAll
    static void unpack() throws IOException {
        installation = Installation.in(scratch);
    }

    @Test
    void runsEveryCommandInTheWidthOfAPage() throws Exception {
        List<String> arguments = new ArrayList<>(List.of("exec", "--width", "80"));
        for (String command : COMMANDS) {
            arguments.addAll(List.of("--command", command));
        }
        try (Launched exec = hearth(arguments.toArray(String[]::new))) {
            assertEquals(0, exec.status(), exec::errors);
            assertEquals("", exec.errors());
            assertTrue(exec.output().startsWith("role          exec\n"), exec::output);
            // a table exceeds the page where its words, which are kept whole, need more: here that of services
            assertTrue(exec.output().lines().allMatch(line -> line.length() <= 100), exec::output);
        }
    }

    @Test
    void answersScriptsInOneLineOfJsonForEveryCommand() throws Exception {
        Path commands = Files.writeString(
                scratch.resolve("commands"), "# all\n" + String.join(" --json\n", COMMANDS) + " --json\n");
        try (Launched exec = hearth("exec", "-f", commands.toString())) {
            assertEquals(0, exec.status(), exec::errors);
            assertEquals(COMMANDS.length, exec.output().lines().count(), exec::output);
            assertTrue(exec.output().lines().allMatch(line -> line.matches("\\{.*}|\\[.*]")), exec::output);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | exec nosuch                    | error: command 'nosuch': unknown (expected: one that 'help'",
                "2 | exec conf_x info               | error: exec: 'conf x' and further arguments (expected: one",
                "2 | exec --json                    | error: exec: '--json' (expected: one of --to",
                "3 | exec -f nosuch                 | error: -f 'nosuch': no such file (expected: a file",
                "2 | exec --to no/where info        | error: --to 'no/where' (expected: HOST:PORT",
                "4 | exec --to 127.0.0.1:1 info     | error: 127.0.0.1:1: connection refused (expected: a Hearth",
                "4 | exec --to no.such.invalid:1 info | error: no.such.invalid:1:",
                "4 | shell --to 127.0.0.1:1         | error: 127.0.0.1:1: connection refused (expected: a Hearth",
                "2 | shell info                     | error: shell: 'info' (expected: no command; it reads them)",
                "6 | exec hearth:undeploy gone.jar  | error: "
            })
    void saysInOneLineWhatIsWrong(int status, String arguments, String message) throws Exception {
        try (Launched wrong = hearth(List.of(arguments.split(" ")).stream()
                .map(word -> word.replace('_', ' '))
                .toArray(String[]::new))) {
            assertEquals(status, wrong.status(), wrong::errors);
            assertTrue(wrong.errors().startsWith(message), wrong::errors);
            assertEquals(1, wrong.errors().lines().count(), wrong::errors);
            assertEquals("", wrong.output());
        }
    }

    @Test
    void loadsClusterManagersWhenTheyAreAskedFor() throws Exception {
        try (Launched exec = hearth("exec", "hearth:managers --json")) {
            assertEquals(0, exec.status(), exec::errors);
            assertTrue(exec.output().contains("{\"schemes\":[\"local\"],\"deployModes\":[\"client\"]"), exec::output);
            assertTrue(exec.output().contains("\"bundle\":\"hearth-standalone\""), exec::output);
        }
    }

    @Test
    void stopsAtTheFirstCommandThatFails() throws Exception {
        try (Launched exec = hearth("exec", "-c", "help hearth:why", "-c", "nosuch", "-c", "info")) {
            assertEquals(2, exec.status());
            assertTrue(exec.output().startsWith("command   hearth:why\n"), exec::output);
            assertTrue(!exec.output().contains("role"), exec::output);
        }
    }

    @Test
    void runsCommandsInARunningMaster() throws Exception {
        Launched.Ready ready = installation.daemon("master", "--port", "0");
        try (Launched master = ready.process()) {
            String address = ready.line().substring("hearth://".length());
            try (Launched exec = hearth("exec", "--to", address, "info; log dev.hearth.standalone debug")) {
                assertEquals(0, exec.status(), exec::errors);
                assertTrue(exec.output().startsWith("role          master\n"), exec::output);
                assertTrue(exec.output().contains("process       " + master.pid()), exec::output);
            }
            try (Launched exec = hearth("exec", "--to", address, "log dev.hearth.standalone --json")) {
                assertEquals(0, exec.status(), exec::errors);
                assertEquals(
                        "[{\"logger\":\"dev.hearth.standalone\",\"level\":\"DEBUG\",\"from\":\"dev.hearth.standalone\"}]\n",
                        exec.output());
            }
            try (Launched exec = hearth("exec", "--to", address, "managers --json")) {
                assertEquals(0, exec.status(), exec::errors);
                assertTrue(exec.output().contains("\"heldBy\":[\"role master\"]"), exec::output);
            }
            try (Launched exec = hearth("exec", "--to", address, "nosuch")) {
                assertEquals(2, exec.status());
                assertEquals("error: command 'nosuch': unknown (expected: one that 'help' lists)\n", exec.errors());
            }
            Piped shell = piped("info\nnosuch\nhelp hearth:why\n", "shell", "--to", address);
            assertEquals(0, shell.status());
            assertTrue(shell.output().contains("role          master\n"), shell::output);
        }
    }

    @Test
    void reachesAServingKernelAtThePortItWasGiven() throws Exception {
        int port = FreePort.draw();
        Launched.Ready ready = installation.daemon("serve", "--conf", "hearth.shell.port=" + port);
        assertEquals("serving " + installation.home() + " at 127.0.0.1:" + port, ready.line());
        try (Launched serving = ready.process();
                Launched exec = hearth("exec", "--to", "127.0.0.1:" + port, "info")) {
            assertEquals(0, exec.status(), () -> exec.errors() + serving.errors());
            assertTrue(exec.output().startsWith("role          serve\n"), exec::output);
        }
    }

    @Test
    void readsAPipeWithoutAPrompt() throws Exception {
        Piped shell = piped("x = why\n\nhelp hearth:$x\nexit 9\ninfo\n", "shell");
        assertEquals(9, shell.status());
        assertEquals("why\n", shell.output().substring(0, 4));
        assertTrue(!shell.output().contains("> "), shell::output);
        assertTrue(!shell.output().contains("role"), shell::output);
    }

    private static String bin() {
        return installation.home().resolve("bin/hearth").toString();
    }

    private static Launched hearth(String... arguments) throws IOException {
        return Launched.start(scratch, List.of(with(bin(), arguments)));
    }

    private static String[] with(String first, String... rest) {
        List<String> all = new ArrayList<>(List.of(first));
        all.addAll(List.of(rest));
        return all.toArray(String[]::new);
    }

    private static Piped piped(String typed, String... arguments) throws IOException, InterruptedException {
        Path input = Files.writeString(Files.createTempFile(scratch, "typed", ".txt"), typed);
        Path output = Files.createTempFile(scratch, "stdout", ".txt");
        ProcessBuilder builder = new ProcessBuilder(with(bin(), arguments))
                .redirectInput(input.toFile())
                .redirectOutput(output.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("HEARTH_CDS", SharedClasses.setting());
        return new Piped(builder.start().waitFor(), Files.readString(output));
    }

    private record Piped(int status, String output) {}
}
