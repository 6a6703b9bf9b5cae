/** The app that the proof deploys. */
import { proofApp } from './proof-app.ts';

proofApp().synth();
