package dev.hearth.itests.architecture;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * Parses sources with the compiler and reports violations of the house style: long methods and classes, sleeping, in
 * tests also by parking, and disabled tests. Ignores comments and string literals.
 */
final class SourceShape extends TreeScanner<@Nullable Void, @Nullable Void> {
    private static final int METHOD_LINES_MAX = 50;
    private static final int CLASS_LINES_MAX = 600;
    private static final Pattern SLEEP =
            Pattern.compile("(.*\\.)?(Thread|TimeUnit\\.[A-Z]+|NANOSECONDS|MICROSECONDS|MILLISECONDS|SECONDS)\\.sleep");

    private static final Pattern PARK = Pattern.compile("(.*\\.)?(LockSupport\\.)?park(Nanos|Until)");
    private static final String TESTS = "/src/test/";

    private final SourcePositions positions;
    private final CompilationUnitTree unit;
    private final String file;
    private final List<String> problems = new ArrayList<>();

    private SourceShape(SourcePositions positions, CompilationUnitTree unit, String file) {
        this.positions = positions;
        this.unit = unit;
        this.file = file;
    }

    /** All problems of {@code sources}, each with its place; {@code names} gives the name of a source in them. */
    static List<String> problems(Iterable<? extends JavaFileObject> sources, Function<JavaFileObject, String> names) {
        DiagnosticCollector<JavaFileObject> errors = new DiagnosticCollector<>();
        JavacTask task = (JavacTask)
                ToolProvider.getSystemJavaCompiler().getTask(null, null, errors, List.of("-proc:none"), null, sources);
        List<String> problems = new ArrayList<>();
        try {
            for (CompilationUnitTree unit : task.parse()) {
                SourceShape shape = new SourceShape(
                        Trees.instance(task).getSourcePositions(), unit, names.apply(unit.getSourceFile()));
                shape.scan(unit, null);
                problems.addAll(shape.problems);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("sources: cannot be read", failure);
        }
        errors.getDiagnostics().forEach(error -> problems.add("not Java: " + error));
        return problems;
    }

    @Override
    public @Nullable Void visitClass(ClassTree tree, @Nullable Void nothing) {
        atMost(CLASS_LINES_MAX, tree, "class " + tree.getSimpleName());
        return super.visitClass(tree, null);
    }

    @Override
    public @Nullable Void visitMethod(MethodTree tree, @Nullable Void nothing) {
        atMost(METHOD_LINES_MAX, tree, "method " + tree.getName());
        return super.visitMethod(tree, null);
    }

    @Override
    public @Nullable Void visitMethodInvocation(MethodInvocationTree tree, @Nullable Void nothing) {
        awake(tree, tree.getMethodSelect().toString());
        return super.visitMethodInvocation(tree, null);
    }

    @Override
    public @Nullable Void visitMemberReference(MemberReferenceTree tree, @Nullable Void nothing) {
        awake(tree, tree.getQualifierExpression() + "." + tree.getName());
        return super.visitMemberReference(tree, null);
    }

    @Override
    public @Nullable Void visitImport(ImportTree tree, @Nullable Void nothing) {
        awake(tree, tree.getQualifiedIdentifier().toString());
        return super.visitImport(tree, null);
    }

    @Override
    public @Nullable Void visitAnnotation(AnnotationTree tree, @Nullable Void nothing) {
        String type = tree.getAnnotationType().toString();
        if (type.equals("Disabled") || type.endsWith(".Disabled")) {
            add(tree, "@Disabled (expected: every test runs); mend the test or remove it");
        }
        return super.visitAnnotation(tree, null);
    }

    private void awake(Tree tree, String called) {
        if (SLEEP.matcher(called).matches()) {
            add(tree, called + " (expected: no sleeping); wait for an event, within a bound");
        } else if (file.contains(TESTS) && PARK.matcher(called).matches()) {
            add(tree, called + " (expected: no sleeping); wait for an event, or by Eventually of the test kit");
        }
    }

    private void atMost(int linesMax, Tree tree, String subject) {
        long lines = line(positions.getEndPosition(unit, tree)) - line(positions.getStartPosition(unit, tree)) + 1;
        if (lines > linesMax) {
            add(tree, subject + ": " + lines + " lines (expected: " + linesMax + " at most); split it");
        }
    }

    private void add(Tree tree, String problem) {
        problems.add(file + ":" + line(positions.getStartPosition(unit, tree)) + ": " + problem);
    }

    private long line(long position) {
        return unit.getLineMap().getLineNumber(position);
    }
}
