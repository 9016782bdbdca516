package dev.hearth.itests.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks what the pages name: their links lead somewhere, and the commands, flags and settings exist. */
class UserPagesTest {
    private static final Path LAYOUT = Repository.ROOT.resolve("distribution/src/main/layout");
    private static final Set<String> BUILT = Set.of("bin/spark2-submit", "bin/spark3-submit"); // copies of a script
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
    private static final Pattern COMMAND = Pattern.compile("(?<![\\w./-])((?:bin|sbin)/[a-z][\\w.-]*)");
    /** A command line in which all flags are those of the script, and not of what it runs. */
    private static final Pattern SUBMISSION =
            Pattern.compile("(?:bin/(?:submit|spark-submit|run-example)|sbin/start-\\w+) ([^`\\n]*)");

    private static final Pattern FLAG = Pattern.compile("(?<![\\w-])(--[a-z][\\w-]*)");
    /** A whole name: none that goes on with a star, a hyphen or a word in capitals, which stands for others. */
    private static final Pattern SETTING =
            Pattern.compile("(?<![\\w./-])(hearth(?:\\.[a-z]\\w*+){2,}+)(?!\\*|-|\\.[\\w*])");
    /** The page on plug-ins has settings and flags of its examples, and orders, which are no settings. */
    private static final String EXTENDING = "docs/extending.md";
    /** Names of properties and of system properties of tests that look like settings. */
    private static final Set<String> OTHERS =
            Set.of("hearth.operations.seed", "hearth.operations.tries", "hearth.simulation.seeds");

    @Test
    void linksLeadToPagesAndTheirHeadings() throws IOException {
        List<String> problems = new ArrayList<>();
        for (String page : pages()) {
            LINK.matcher(Document.read(page))
                    .results()
                    .map(link -> link.group(1))
                    .filter(link -> !link.contains(":") && !leadsSomewhere(page, link))
                    .forEach(link ->
                            problems.add(page + ": link to " + link + " (expected: a page, and a heading of it)"));
        }
        Findings.expectNone(problems);
    }

    @Test
    void commandsAndFlagsExist() throws IOException {
        Set<String> flags = flags();
        List<String> problems = new ArrayList<>();
        for (String page : pages()) {
            String text = Document.read(page);
            problems.addAll(missingCommands(page, text));
            if (!page.equals(EXTENDING)) {
                problems.addAll(missingFlags(page, text, flags));
            }
        }
        Findings.expectNone(problems);
    }

    @Test
    void settingsAreDeclared() throws IOException {
        Set<String> declared = ConfigurationPages.ofEveryModule().keysByOwner().values().stream()
                .flatMap(List::stream)
                .map(key -> key.name())
                .collect(Collectors.toCollection(TreeSet::new));
        declared.addAll(OTHERS);
        List<String> problems = new ArrayList<>();
        for (String page : pages()) {
            if (!page.equals(EXTENDING)) {
                problems.addAll(undeclared(page, Document.read(page), declared));
            }
        }
        Findings.expectNone(problems);
    }

    @Test
    void findsWhatIsNotThere() {
        assertTrue(leadsSomewhere("README.md", "docs/masters.md#looking-at-a-cluster"));
        assertEquals(false, leadsSomewhere("README.md", "docs/masters.md#gone"));
        assertEquals(false, leadsSomewhere("docs/api.md", "docs/api.md"));
        assertEquals(
                1,
                missingCommands("page", "`bin/submit` and `sbin/begin-master`, not ./bin/x")
                        .size());
        assertEquals(
                1,
                missingFlags("page", "bin/submit --a --b x.jar\nbin/hearth exec --c", Set.of("--a"))
                        .size());
        assertEquals(
                List.of("page: hearth.x.gone (expected: a setting of docs/configuration.md)"),
                undeclared(
                        "page",
                        "`hearth.x.gone`, `hearth.x.here`, hearth.x.NAME.y, hearth.x.gon*, hearth.f.a, dev.hearth.x.y",
                        Set.of("hearth.x.here", "hearth.f.*")));
    }

    private static List<String> pages() throws IOException {
        List<String> pages = new ArrayList<>(List.of(
                "README.md",
                "ARCHITECTURE.md",
                "CONTRIBUTING.md",
                "distribution/examples/README.md",
                "distribution/src/main/layout/README.md",
                "distribution/src/main/layout/deploy/README.md"));
        try (Stream<Path> docs = Files.walk(Repository.ROOT.resolve("docs"))) {
            docs.filter(file -> file.toString().endsWith(".md"))
                    .map(Repository::name)
                    .sorted()
                    .forEach(pages::add);
        }
        return pages;
    }

    private static boolean leadsSomewhere(String page, String link) {
        String file = link.replaceFirst("#.*", "");
        Path from = Repository.ROOT.resolve(page);
        Path to = file.isEmpty() ? from : from.resolveSibling(file).normalize();
        if (!Files.exists(to)) {
            return false;
        }
        return !link.contains("#")
                || HEADING.matcher(Repository.text(to))
                        .results()
                        .map(heading -> anchor(heading.group(1)))
                        .anyMatch(link.substring(link.indexOf('#') + 1)::equals);
    }

    /** The anchor that GitHub makes of a heading. */
    private static String anchor(String heading) {
        return heading.strip()
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\w\\- ]", "")
                .replace(' ', '-');
    }

    private static List<String> missingCommands(String page, String text) {
        return COMMAND.matcher(text)
                .results()
                .map(command -> command.group(1).replaceFirst("\\.$", ""))
                .filter(command -> !BUILT.contains(command) && !isScript(command))
                .distinct()
                .map(command -> page + ": " + command + " (expected: a script of the distribution)")
                .toList();
    }

    private static boolean isScript(String command) {
        return Files.isRegularFile(LAYOUT.resolve(command.replaceFirst("^(sbin/.*)\\.sh$", "$1")));
    }

    private static List<String> missingFlags(String page, String text, Set<String> flags) {
        return SUBMISSION
                .matcher(text)
                .results()
                .flatMap(line -> FLAG.matcher(line.group(1)).results())
                .map(flag -> flag.group(1))
                .filter(flag -> !flags.contains(flag))
                .distinct()
                .map(flag -> page + ": " + flag + " (expected: a flag that --help lists)")
                .toList();
    }

    private static List<String> undeclared(String page, String text, Set<String> declared) {
        return SETTING.matcher(text)
                .results()
                .map(setting -> setting.group(1))
                .filter(setting -> declared.stream().noneMatch(name -> covers(name, setting)))
                .distinct()
                .map(setting -> page + ": " + setting + " (expected: a setting of docs/configuration.md)")
                .toList();
    }

    /** Whether {@code declared} is {@code setting}, a family with it such as {@code a.*}, or a setting below it. */
    private static boolean covers(String declared, String setting) {
        return declared.equals(setting)
                || declared.startsWith(setting + ".")
                || (declared.endsWith("*") && setting.startsWith(declared.substring(0, declared.length() - 1)));
    }

    /** The flags and options in the tables of the distribution. */
    private static Set<String> flags() {
        return Stream.of("lib/flags.tsv", "lib/roles.tsv")
                .flatMap(table -> Repository.text(LAYOUT.resolve(table)).lines())
                .flatMap(line -> Arrays.stream(line.split("\t", -1)))
                .filter(field -> field.startsWith("--"))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
