package dev.hearth.itests.architecture;

import java.net.URI;
import javax.tools.SimpleJavaFileObject;

/** A source file that exists only in memory. Immutable. */
final class SourceText extends SimpleJavaFileObject {
    private final String text;

    SourceText(String path, String text) {
        super(URI.create("text:///" + path), Kind.SOURCE);
        this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
    }
}
