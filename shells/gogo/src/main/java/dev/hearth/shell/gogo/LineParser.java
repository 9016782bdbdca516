package dev.hearth.shell.gogo;

import org.jline.reader.EOFError;
import org.jline.reader.ParsedLine;
import org.jline.reader.impl.DefaultParser;

/** Tells the line editor where words end, and that a line with an open quote or bracket goes on. */
final class LineParser extends DefaultParser {
    @Override
    public ParsedLine parse(String line, int cursor, ParseContext context) {
        if (context == ParseContext.ACCEPT_LINE && LineFailure.isUnfinished(line)) {
            throw new EOFError(-1, -1, "open quote or bracket");
        }
        return super.parse(line, cursor, context);
    }

    @Override
    public boolean isEscapeChar(char character) {
        return false; // the command language has its own rules, and sees the line as it was typed
    }

    @Override
    public boolean isQuoteChar(CharSequence buffer, int at) {
        return false;
    }
}
