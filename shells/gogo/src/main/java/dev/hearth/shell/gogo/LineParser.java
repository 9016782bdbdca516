package dev.hearth.shell.gogo;

import org.jline.reader.EOFError;
import org.jline.reader.ParsedLine;
import org.jline.reader.impl.DefaultParser;

/**
 * Splits lines of the Hearth shell into words for the line editor. If the user accepts a line with an open quote or
 * bracket, the editor reads a further line and appends it.
 */
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
        return false; // no escape characters, because the command language parses the line itself
    }

    @Override
    public boolean isQuoteChar(CharSequence buffer, int at) {
        return false;
    }
}
