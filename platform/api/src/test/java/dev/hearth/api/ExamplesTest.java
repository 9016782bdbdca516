package dev.hearth.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the interfaces' documentation shows is Java that compiles against them; every operation shows something. */
class ExamplesTest {
    private static final Path SOURCES = Path.of("src", "main", "java", "dev", "hearth", "api");
    private static final Pattern EXAMPLE = Pattern.compile("<pre>\\{@code (.*?)\\}</pre>", Pattern.DOTALL);
    private static final Pattern CALLED = Pattern.compile("\\.(\\w+)\\(");
    private static final List<Class<?>> INTERFACES = List.of(
            HearthContext.class,
            Rdd.class,
            RddActions.class,
            PairRdd.class,
            PairActions.class,
            PairJoins.class,
            DoubleRdd.class);
    private static final String GIVEN = "HearthContext context, Rdd<String> lines, Rdd<Integer> numbers,"
            + " PairRdd<String, Integer> counts, DoubleRdd doubles";

    private static final String BEGIN = """
            import dev.hearth.api.*;
            import dev.hearth.api.accumulator.*;
            import dev.hearth.api.event.*;
            import dev.hearth.api.function.*;
            import java.nio.file.*;
            import java.time.Duration;
            import java.util.*;
            interface Examples {
            """;

    @TempDir
    private Path output;

    private record Source(String text) {
        JavaFileObject file() {
            return new SimpleJavaFileObject(URI.create("string:///Examples.java"), JavaFileObject.Kind.SOURCE) {
                @Override
                public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                    return text;
                }
            };
        }
    }

    @Test
    void compile() throws IOException {
        List<String> examples = examples();
        assertTrue(examples.size() > 150, () -> "only " + examples.size() + " examples were found");
        assertEquals(List.of(), problems(examples));
    }

    @Test
    void aWrongOneIsFound() throws IOException {
        assertEquals(
                1,
                problems(List.of("int id = lines.id();", "int id = lines.idd();"))
                        .size());
    }

    @Test
    void everyOperationShowsOne() throws IOException {
        Set<String> shown = new TreeSet<>();
        examples().forEach(example -> CALLED.matcher(example).results().forEach(call -> shown.add(call.group(1))));
        Set<String> missing = new TreeSet<>();
        for (Class<?> type : INTERFACES) {
            for (Method method : type.getDeclaredMethods()) {
                if (!Modifier.isStatic(method.getModifiers())
                        && !method.isSynthetic()
                        && !shown.contains(method.getName())
                        && !method.getName().equals("gather")) { // for engines
                    missing.add(type.getSimpleName() + "#" + method.getName());
                }
            }
        }
        assertEquals(Set.of(), missing);
    }

    private static List<String> examples() throws IOException {
        List<String> examples = new ArrayList<>();
        try (Stream<Path> files = Files.list(SOURCES)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".java"))
                    .sorted()
                    .toList()) {
                EXAMPLE.matcher(Files.readString(file))
                        .results()
                        .forEach(found -> examples.add(found.group(1).replaceAll("\\R\\s*\\* ?", " ")));
            }
        }
        return examples;
    }

    /** What the compiler has against them, by example. */
    private List<String> problems(List<String> examples) throws IOException {
        StringBuilder text = new StringBuilder(BEGIN);
        for (int i = 0; i < examples.size(); i++) {
            text.append("static void example")
                    .append(i)
                    .append('(')
                    .append(GIVEN)
                    .append(") throws Exception { ");
            text.append(examples.get(i)).append(" }\n");
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        List<String> options = List.of(
                "--release", "17", "-proc:none", "-cp", System.getProperty("java.class.path"), "-d", output.toString());
        compiler.getTask(
                        null,
                        null,
                        found,
                        options,
                        null,
                        List.of(new Source(text.append("}\n").toString()).file()))
                .call();
        return found.getDiagnostics().stream()
                .filter(problem -> problem.getKind() == Diagnostic.Kind.ERROR)
                .map(problem -> problem.getMessage(null) + ": "
                        + text.toString()
                                .lines()
                                .skip(problem.getLineNumber() - 1)
                                .findFirst()
                                .orElse(""))
                .toList();
    }
}
