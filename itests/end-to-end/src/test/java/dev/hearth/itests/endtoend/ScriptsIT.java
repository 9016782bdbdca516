package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Help, manual pages and completion of the scripts, and the daemons that sbin/ starts on one host and on several. */
@Timeout(120)
class ScriptsIT {
    private static final Set<String> OPTIONS_OF_ALL = Set.of("--conf", "--properties-file", "--help");

    @TempDir
    static Path scratch;

    private static Path home;
    private static List<String[]> table;
    private static Map<String, String> environment;

    @BeforeAll
    static void unpack() throws IOException {
        home = Installation.in(scratch).home();
        table = Files.readAllLines(home.resolve("lib/roles.tsv")).stream()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("\t", -1))
                .toList();
        environment = Map.of(
                "HEARTH_PID_DIR", scratch.resolve("pids").toString(),
                "HEARTH_LOG_DIR", scratch.resolve("logs").toString(),
                "HEARTH_IDENT_STRING", "it",
                "HEARTH_WORKER_MEMORY", "512m",
                "SPARK_WORKER_CORES", "1");
    }

    @Test
    void helpManualPagesAndCompletionHaveTheOptionsOfTheTable() throws Exception {
        String asked = table.stream()
                .filter(line -> line[1].equals("role") && !line[0].equals("submit"))
                .map(line -> "\"$home/bin/hearth\" " + line[0] + " --help; echo ==" + line[0])
                .collect(Collectors.joining("\n"));
        asked += scripts()
                .map(name -> "\n\"$home/sbin/" + name + "\" --help; echo ==" + name)
                .collect(Collectors.joining());
        asked += "\nif [[ -e \"$HEARTH_PID_DIR\" ]]; then echo started; fi";
        Map<String, String> own = new TreeMap<>(environment);
        own.put("HEARTH_PID_DIR", scratch.resolve("pids of help").toString());
        Ended ended = bash(own, asked);
        assertEquals("", ended.errors);
        assertFalse(ended.output.endsWith("started\n"), ended.output);
        int from = 0;
        for (String end :
                ended.output.lines().filter(line -> line.startsWith("==")).toList()) {
            String name = end.substring(2);
            int at = ended.output.indexOf(end + "\n", from);
            String help = ended.output.substring(from, at);
            from = at + end.length() + 1;
            assertTrue(help.startsWith("usage: " + (isRole(name) ? "hearth " : "") + name), help);
            String page = Files.readString(home.resolve("man/man1/" + (isRole(name) ? "hearth-" : "") + name + ".1"));
            for (String option : options(name)) {
                assertTrue(help.contains("  " + option), () -> name + " " + option + ": " + help);
                assertTrue(page.contains("\\fB" + option.replace("-", "\\-")), () -> name + " " + option);
            }
            Set<String> completed = Set.copyOf(
                    completed(isRole(name) ? "$home/bin/hearth " + name + " --" : "$home/sbin/" + name + " --"));
            assertEquals(Set.copyOf(options(name)), completed, name);
        }
    }

    @Test
    void scriptsHaveTheirNamesInSparkToo() throws Exception {
        for (String name : List.of(
                "start-master", "stop-worker", "decommission-worker", "start-workers", "start-all", "stop-all")) {
            assertEquals(
                    Files.readString(home.resolve("sbin").resolve(name)),
                    Files.readString(home.resolve("sbin").resolve(name + ".sh")));
        }
        Ended none = bash(environment, "\"$home/sbin/stop-master.sh\"");
        assertEquals("0 master does not run", none.status + " " + none.errors.strip());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bin/hearth exec info",
                "bin/hearth master",
                "bin/submit --version",
                "bin/run-example Pi",
                "bin/spark-submit --version",
                "sbin/start-master",
                "sbin/stop-worker",
                "sbin/start-workers",
                "sbin/start-all",
                "sbin/stop-all",
                "sbin/on-workers true",
                "sbin/hearth-daemon status master"
            })
    void refusesADirectoryOfSettingsThatIsNone(String command) throws Exception {
        Map<String, String> own = new TreeMap<>(environment);
        own.put("HEARTH_PID_DIR", scratch.resolve("pids without settings").toString());
        Path file = Files.writeString(scratch.resolve("a file"), "hearth.authenticate true\n");
        for (Path wrong : List.of(scratch.resolve("no directory"), file)) {
            own.put("HEARTH_CONF_DIR", wrong.toString());
            Ended ended = bash(own, "\"$home\"/" + command + "; status=$?; ls \"$HEARTH_PID_DIR\" 2>&-; exit $status");
            assertEquals("", ended.output);
            assertEquals(
                    "7 error: HEARTH_CONF_DIR: '" + wrong + "' (expected: a directory with settings);"
                            + " create it, or unset the variable",
                    ended.status + " " + ended.errors.strip());
        }
    }

    @Test
    void refusesAMissingDirectoryOfSettingsAsAnOption() throws Exception {
        Ended ended = bash(environment, "\"$home/sbin/hearth-daemon\" --config /none status master");
        assertEquals(7, ended.status, ended.output);
        assertTrue(ended.errors.startsWith("error: HEARTH_CONF_DIR: '/none' (expected: "), ended.errors);
    }

    @Test
    void manualPagesHaveNoErrors() throws Exception {
        Ended ended = bash(Map.of(), """
                man --version >/dev/null 2>&1 && man -l /dev/null >/dev/null 2>&1 || exit 0
                for page in "$home"/man/man1/*.1; do LC_ALL=C.UTF-8 man --warnings -l "$page" >/dev/null; done
                """);
        assertEquals("", ended.errors);
    }

    @ParameterizedTest
    @CsvSource({
        "$home/bin/hearth ma, master",
        "$home/bin/hearth help start-w, start-worker start-workers",
        "$home/bin/hearth worker -c 2 hearth, hearth",
        "$home/bin/submit --deploy-mode = cl, client cluster",
        "$home/bin/submit --master local-, 'local-cluster[2,1,1024]'",
        "$home/bin/submit --conf hearth.executor.memory=1g --total, --total-executor-cores",
        "$home/bin/submit --conf hearth.executor.memoryOverheadF, hearth.executor.memoryOverheadFactor=",
        "$home/bin/run-example --master local Pa, PageRank",
        "$home/sbin/hearth-daemon st, start stop status",
        "$home/sbin/hearth-daemon --instance 2 start maste, master"
    })
    void completesWordsAsBashDoes(String line, String expected) throws Exception {
        List<String> found = completed(line);
        if (expected.equals("hearth")) {
            assertTrue(found.stream().allMatch(word -> word.startsWith("hearth://")), found::toString);
        } else if (!expected.endsWith("Factor=")) { // not every version has the setting
            assertEquals(expected, String.join(" ", found));
        }
    }

    @Test
    void completesFlagsAndRolesOfAddedBundles() throws Exception {
        Path jar = home.resolve("deploy/added.jar");
        try (var out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry("OSGI-INF/hearth/flags.tsv"));
            out.write("x\t--added\t-\tN\t-\tclient\tnumber\tlast\ta flag\n".getBytes(StandardCharsets.UTF_8));
            out.putNextEntry(new JarEntry("OSGI-INF/hearth/roles.tsv"));
            out.write("tidy\trole\t-\t-\tTidies.\ntidy\toption\t--deep\t-\t-\tswitch\t-\tall\n"
                    .getBytes(StandardCharsets.UTF_8));
        }
        try {
            assertEquals(List.of("--added"), completed("$home/bin/submit --adde"));
            assertEquals(List.of("tidy"), completed("$home/bin/hearth ti"));
            assertEquals(List.of("--deep"), completed("$home/bin/hearth tidy --de"));
            Ended help = bash(Map.of(), "\"$home/bin/hearth\" tidy --help");
            assertTrue(help.output.startsWith("usage: hearth tidy [option...]\nTidies.\n"), help.output);
        } finally {
            Files.delete(jar);
        }
    }

    @Test
    void saysThatAWorkerWaitsForItsMasterAndHowDaemonsStand() throws Exception {
        int port = FreePort.draw();
        Ended none = bash(environment, "\"$home/sbin/hearth-daemon\" status worker");
        assertEquals(2, none.status);
        Ended worker =
                bash(environment, "HEARTH_WORKER_INSTANCES=2 \"$home/sbin/start-worker\" hearth://127.0.0.1:" + port);
        try {
            assertEquals(0, worker.status, worker.errors);
            assertEquals("", worker.output);
            for (String name : List.of("worker", "worker 2")) {
                assertTrue(
                        worker.errors.contains(name + ": master 127.0.0.1:" + port + ": not reachable: "),
                        worker.errors);
                assertTrue(worker.errors.contains(name + " runs as process "), worker.errors);
            }
            Ended runs = bash(environment, "\"$home/sbin/hearth-daemon\" --instance 2 status worker");
            assertEquals(0, runs.status, runs.output);
            String log = Files.readString(logOf("worker-2"));
            assertTrue(log.contains("; the worker keeps trying"), log);
            Ended master = bash(environment, "\"$home/sbin/start-master\" -p " + port);
            assertEquals("hearth://127.0.0.1:" + port + "\n", master.output);
            bash(environment, "kill -9 $(cat \"$HEARTH_PID_DIR/hearth-it-master-1.pid\")");
            Ended left = bash(
                    environment,
                    "\"$home/sbin/hearth-daemon\" --instance 1 decommission worker --block-until-exit; "
                            + "\"$home/sbin/hearth-daemon\" --instance 1 status worker");
            assertEquals(2, left.status, left.errors);
            assertTrue(left.output.endsWith("worker has ended\nworker does not run\n"), left.output);
        } finally {
            Ended stopped = bash(environment, "\"$home/sbin/stop-all\"; \"$home/sbin/hearth-daemon\" status master");
            assertTrue(stopped.output.contains("stopped worker 2 (pid "), stopped.output + stopped.errors);
        }
    }

    @Test
    void keepsTheOutputOfEarlierStartsAndTakesOptionsOfSpark() throws Exception {
        Map<String, String> wrong = new TreeMap<>(environment);
        wrong.put("HEARTH_LOG_DIR", scratch.resolve("logs of wrong starts").toString());
        wrong.put("HEARTH_LOG_MAX_FILES", "1");
        wrong.put("SPARK_MASTER_OPTS", "-Dspark.master.port=70000");
        Ended ended = bash(wrong, "for i in 1 2; do \"$home/sbin/start-master\"; done; ls \"$HEARTH_LOG_DIR\"");
        assertTrue(
                ended.errors.contains("hearth.master.port: 70000 (expected: a whole number, 0 to 65535)"),
                ended.errors);
        assertEquals(
                2, ended.output.lines().filter(name -> name.contains(".out")).count(), ended.output);
        wrong.put("SPARK_MASTER_OPTS", "-Xmx1g");
        Ended heap = bash(wrong, "\"$home/bin/hearth\" master");
        assertEquals(
                "7 error: SPARK_MASTER_OPTS: '-Xmx1g' (expected: no size of the heap); set HEARTH_DAEMON_MEMORY",
                heap.status + " " + heap.errors.strip());
    }

    @ParameterizedTest
    @ValueSource(strings = {"LC_ALL=C", "LANG=xx_YY.UTF-8"})
    void runsJarsWithAnyNameInAnyLocale(String locale) throws Exception {
        Path jar = scratch.resolve("wörter.jar");
        Files.copy(home.resolve("examples/hearth-examples.jar"), jar, StandardCopyOption.REPLACE_EXISTING);
        Ended ended = bash(
                Map.of("jar", jar.toString()),
                "env -u LC_ALL -u LC_CTYPE -u LANG " + locale
                        + " \"$home/bin/submit\" --master 'local[1]' --class dev.hearth.examples.WordCount \"$jar\" ä.txt");
        assertEquals(3, ended.status, ended.errors);
        assertTrue(ended.errors.contains("input path 'ä.txt'"), ended.errors);
    }

    @Test
    void startsWorkersOnAllHosts() throws Exception {
        Path programs = Files.createDirectories(scratch.resolve("programs"));
        Path ssh = programs.resolve("ssh");
        Files.writeString(ssh, """
                #!/usr/bin/env bash
                echo "${@: -2:1}" >>"$(dirname "$0")/hosts"
                bash -c "${@: -1}"
                """);
        Files.setPosixFilePermissions(ssh, PosixFilePermissions.fromString("rwx------"));
        Path conf = Files.createDirectories(scratch.resolve("conf of hosts"));
        Files.writeString(conf.resolve("workers"), "localhost # here\n\nfar.example\n");
        Map<String, String> on = new TreeMap<>(environment);
        on.put("PATH", programs + ":" + System.getenv("PATH"));
        on.put("HEARTH_SSH_OPTS", "-p 22");
        String config = " --config '" + conf + "' ";
        Ended ran = bash(on, "\"$home/sbin/on-workers\"" + config + "bash -c 'echo $1; exit $2' _ 'a b' 3");
        assertEquals(1, ran.status);
        assertEquals(
                List.of(
                        "far.example: a b",
                        "far.example: error: ended with 3",
                        "localhost: a b",
                        "localhost: error: ended with 3"),
                ran.output.lines().sorted().toList());
        assertEquals("far.example\n", Files.readString(programs.resolve("hosts")));
        Ended without = bash(on, "\"$home/sbin/start-workers\"" + config);
        assertEquals(2, without.status);
        assertTrue(without.errors.contains("no master (expected: HEARTH_MASTER_HOST"), without.errors);
    }

    private static Path logOf(String daemon) throws IOException {
        try (Stream<Path> logs = Files.list(scratch.resolve("logs"))) {
            return logs.filter(log -> log.getFileName().toString().matches("hearth-it-" + daemon + "-.*\\.log"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static boolean isRole(String name) {
        return table.stream().anyMatch(line -> line[0].equals(name) && line[1].equals("role"));
    }

    private static Stream<String> scripts() throws IOException {
        try (Stream<Path> files = Files.list(home.resolve("sbin"))) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(name -> !name.endsWith(".sh"))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    private static List<String> options(String name) {
        List<String> options = new ArrayList<>(isRole(name) ? OPTIONS_OF_ALL : Set.of());
        for (String[] line : table) {
            if (line[0].equals(name) && line[1].equals("option")) {
                options.add(line[2]);
            } else if (line[0].equals(name) && line[1].equals("like")) {
                options.addAll(options(line[2]));
            }
        }
        return options.stream().distinct().toList();
    }

    /** Completes the last word of a line with the function that the file registers, given the words of bash. */
    private static List<String> completed(String line) throws Exception {
        Ended ended = bash(Map.of(), """
                . "$home/completion/hearth.bash"
                line='%s'
                line=${line//=/ = }
                COMP_WORDS=()
                for word in $line; do COMP_WORDS+=("${word/#\\$home/$home}"); done
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                function=$(complete -p "${COMP_WORDS[0]##*/}")
                function=${function#*-F }
                ${function%% *} "${COMP_WORDS[0]}" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
                printf '%%s\\n' "${COMPREPLY[@]}"
                """.formatted(line));
        return Arrays.stream(ended.output.split("\n", -1))
                .filter(word -> !word.isEmpty())
                .distinct()
                .toList();
    }

    private static Ended bash(Map<String, String> variables, String script) throws Exception {
        Map<String, String> all = new TreeMap<>(variables);
        all.put("home", home.toString());
        try (Launched launched = Launched.start(scratch, all, List.of("bash", "-c", script))) {
            return new Ended(launched.status(), launched.output(), launched.errors());
        }
    }

    private record Ended(int status, String output, String errors) {}
}
