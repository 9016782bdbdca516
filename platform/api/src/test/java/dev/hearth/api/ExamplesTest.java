package dev.hearth.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import dev.hearth.api.accumulator.Accumulator;
import dev.hearth.api.accumulator.DoubleAccumulator;
import dev.hearth.api.accumulator.LongAccumulator;
import dev.hearth.api.function.OrderFunction;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples in Javadoc and pages compile against the API, and every public operation has an example of its use. */
class ExamplesTest {
    private static final Path SOURCES = Path.of("src", "main", "java", "dev", "hearth", "api");
    private static final Pattern EXAMPLE = Pattern.compile("<pre>\\{@code (.*?)\\}</pre>", Pattern.DOTALL);
    private static final List<Class<?>> TYPES = List.of(
            HearthContext.class,
            Rdd.class,
            RddActions.class,
            PairRdd.class,
            PairActions.class,
            PairJoins.class,
            DoubleRdd.class,
            JobControl.class,
            BarrierRdd.class,
            StatusTracker.class,
            JobFuture.class,
            PartialResult.class,
            Command.class,
            Broadcast.class,
            Accumulator.class,
            LongAccumulator.class,
            DoubleAccumulator.class,
            OrderFunction.class,
            JdbcRows.class);
    private static final Set<String> FOR_ENGINES = Set.of("PairJoins#gather", "Accumulator#merge", "Accumulator#of");
    private static final String GIVEN = "HearthContext context, Rdd<String> lines, Rdd<Integer> numbers,"
            + " PairRdd<String, Integer> counts, DoubleRdd doubles";

    private static final String BEGIN = """
            import dev.hearth.api.*;
            import dev.hearth.api.accumulator.*;
            import dev.hearth.api.event.*;
            import dev.hearth.api.function.*;
            import dev.hearth.api.resource.*;
            import dev.hearth.api.task.*;
            import java.io.InputStream;
            import java.nio.file.*;
            import java.time.*;
            import java.util.*;
            import java.util.stream.*;
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
        assertTrue(examples.size() > 300, () -> "only " + examples.size() + " examples were found");
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
    void everyOperationShowsACallOfItself() throws IOException {
        List<String> missing = new ArrayList<>();
        for (Class<?> type : TYPES) {
            missing.addAll(withoutExample(source(type)));
        }
        assertEquals(List.of(), missing);
    }

    @Test
    void whatShowsNoneIsFound() throws IOException {
        assertEquals(List.of("Some#one", "Some#two", "Some#five"), withoutExample(new Source("""
                        interface Some {
                            /** Shows nothing. */
                            void one();
                            /** Shows another. <pre>{@code some.one();}</pre> */
                            void two();
                            /** Shows itself. <pre>{@code some.three();}</pre> */
                            void three();
                            /** As well. <pre>{@code some.forEach(Some::four);}</pre> */
                            void four();
                            static void five() {}
                            @Override
                            String toString();
                        }
                        """).file()));
    }

    /** The public methods of a type whose Javadoc has no example that calls them. */
    private static List<String> withoutExample(JavaFileObject source) throws IOException {
        JavacTask task = (JavacTask) ToolProvider.getSystemJavaCompiler()
                .getTask(null, null, null, List.of("-proc:none"), null, List.of(source));
        DocTrees docs = DocTrees.instance(task);
        List<String> missing = new ArrayList<>();
        for (CompilationUnitTree unit : task.parse()) {
            TreePath file = new TreePath(unit);
            for (Tree declared : unit.getTypeDecls()) {
                if (declared instanceof ClassTree type) {
                    TreePath place = new TreePath(file, type);
                    type.getMembers().stream()
                            .filter(member -> member instanceof MethodTree method && isCalledByUsers(type, method))
                            .map(MethodTree.class::cast)
                            .filter(method -> !shows(docs.getDocComment(new TreePath(place, method)), method))
                            .forEach(method -> missing.add(type.getSimpleName() + "#" + method.getName()));
                }
            }
        }
        return missing;
    }

    private static boolean isCalledByUsers(ClassTree type, MethodTree method) {
        Set<Modifier> flags = method.getModifiers().getFlags();
        boolean isPublic = type.getKind() == Tree.Kind.INTERFACE
                ? !flags.contains(Modifier.PRIVATE)
                : flags.contains(Modifier.PUBLIC);
        return isPublic
                && method.getReturnType() != null // not a constructor
                && method.getModifiers().getAnnotations().stream()
                        .noneMatch(mark -> mark.getAnnotationType().toString().equals("Override"))
                && !FOR_ENGINES.contains(type.getSimpleName() + "#" + method.getName());
    }

    private static boolean shows(String documentation, MethodTree method) {
        Pattern call = Pattern.compile("(\\.|::)" + method.getName() + "\\b");
        return documentation != null
                && EXAMPLE.matcher(documentation)
                        .results()
                        .anyMatch(example -> call.matcher(example.group(1)).find());
    }

    private static JavaFileObject source(Class<?> type) throws IOException {
        String file = type.getName()
                        .substring(Rdd.class.getPackageName().length() + 1)
                        .replace('.', '/') + ".java";
        return new Source(Files.readString(SOURCES.resolve(file))).file();
    }

    private static List<String> examples() throws IOException {
        List<String> examples = new ArrayList<>();
        try (Stream<Path> files = Files.walk(SOURCES)) {
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

    /** The compiler's errors, by example. */
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
