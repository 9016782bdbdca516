package dev.hearth.itests.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/**
 * A class that a test compiles from text, in any module's package, so that the tree holds no wrong code. The classes
 * it uses are compiled with it as stubs, so no library is needed. Immutable.
 */
record Fixture(String name, String statement, List<String> stubs, boolean circular) {
    /** A class that creates one object of another. */
    static Fixture using(String name, String used) {
        return new Fixture(name, "new " + used + "();", List.of(used), false);
    }

    /** A class with a method that has this body. */
    static Fixture doing(String name, String statement) {
        return new Fixture(name, statement, List.of(), false);
    }

    /** Two classes that create objects of each other. */
    static Fixture cycle(String name, String used) {
        return new Fixture(name, "new " + used + "();", List.of(used), true);
    }

    JavaClasses compile(Path directory) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        List<String> options = List.of("-d", directory.toString(), "-classpath", directory.toString(), "-proc:none");
        List<SourceText> sources = new ArrayList<>();
        sources.add(source(name, "public void act() throws Exception { " + statement + " }"));
        String stubBody = circular ? "public void back() { new " + name + "(); }" : "";
        stubs.forEach(stub -> sources.add(source(stub, stubBody)));
        if (!compiler.getTask(null, null, problems, options, null, sources).call()) {
            throw new IllegalStateException("fixture " + name + ": " + problems.getDiagnostics());
        }
        return new ClassFileImporter().importPath(directory);
    }

    @Override
    public String toString() {
        return name + " { " + statement + " }";
    }

    private static SourceText source(String type, String body) {
        int dot = type.lastIndexOf('.');
        String text =
                "package " + type.substring(0, dot) + "; public class " + type.substring(dot + 1) + " {" + body + "}";
        return new SourceText(type.replace('.', '/') + ".java", text);
    }
}
