package dev.hearth.shell.gogo;

import org.jline.reader.EOFError;
import org.jline.reader.ParsedLine;
import org.jline.reader.impl.DefaultParser;

/** Splits lines into words for the line editor, and makes the editor continue a line with an open quote or bracket. */
final class LineParser extends DefaultParser {
    @Override
    public ParsedLine parse(String line, int cursor, ParseContext context) {
        if (context == ParseContext.ACCEPT_LINE && CommandFailure.isUnfinished(line)) {
            throw new EOFError(-1, -1, "open quote or bracket");
        }
        return super.parse(line, cursor, context);
    }

    @Override
    public boolean isEscapeChar(char character) {
        return false; // the command language parses the line as typed
    }

    @Override
    public boolean isQuoteChar(CharSequence buffer, int at) {
        return false;
    }
}
